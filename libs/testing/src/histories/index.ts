export { applied, projected, type Driving, type Outcome } from './applied-twice.ts';
export { BEGINNING, HISTORY_CONFIGURATION, VERSIONS, histories, lives, type Step } from './histories.ts';
export { clockAt, emptyBoards, live, startEngine, tablesWith } from './live.ts';
