// as: libs/projections/src/canary.ts
// breaks: @nx/enforce-module-boundaries
import '@laurel/users';
