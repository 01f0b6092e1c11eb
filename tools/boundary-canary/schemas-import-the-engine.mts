// as: libs/schemas/src/canary.ts
// breaks: @nx/enforce-module-boundaries
import '@laurel/engine';
