export { EventLoopClock } from './event-loop-clock.ts';
export { ManualClock } from './manual-clock.ts';
export { systemClock } from './system-clock.ts';
export { settled, VirtualClock } from './virtual-clock.ts';
