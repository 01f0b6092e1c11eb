// as: libs/engine/src/canary.ts
// breaks: @nx/enforce-module-boundaries
import '@laurel/users';
