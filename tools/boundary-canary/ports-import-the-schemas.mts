// as: libs/ports/src/canary.ts
// breaks: @nx/enforce-module-boundaries
import '@laurel/schemas';
