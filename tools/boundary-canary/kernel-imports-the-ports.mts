// as: libs/kernel/src/canary.unit.test.ts
// breaks: @nx/enforce-module-boundaries
import '@laurel/ports';
