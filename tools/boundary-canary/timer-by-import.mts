// as: libs/event-store/src/canary.ts
// breaks: no-restricted-imports: Only the clock in libs/runtime sets timers
import 'node:timers/promises';
