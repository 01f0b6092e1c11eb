// as: libs/stores/event-store/src/canary.ts
// breaks: no-restricted-imports: Only the clock in libs/api/runtime sets timers
import 'node:timers/promises';
