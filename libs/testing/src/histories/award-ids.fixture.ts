// The test of award ids imports this only after it has begun to count hashes.
export { USER_AREAS } from '@laurel/all-areas';
export { compileHistory } from '@laurel/configuration';
export { Chain, Rebuild } from '@laurel/engine';
export { MemoryRebuildStore } from '../projections/index.ts';
export { lesson } from './lesson.ts';
export { emptyBoards, live, tablesWith } from './live.ts';
export type { Step } from './histories.ts';
