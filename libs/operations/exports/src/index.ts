export { countEvents, exportState, type ReadModels } from './export-state.ts';
export { logInOrder } from './logged-events.ts';
export { Exports } from './exports.ts';
export { SubscriberReads } from './subscriber-reads.ts';
