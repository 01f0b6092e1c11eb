// as: libs/values/calendar/src/canary.ts
// breaks: @nx/enforce-module-boundaries
import '@laurel/kernel';
