export { ManualClock } from './manual-clock.ts';
export { systemClock } from './system-clock.ts';
