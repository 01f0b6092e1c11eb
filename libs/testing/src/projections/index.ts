export { MemoryBatchStore, type Fault } from './memory-batch-store.ts';
export { MemoryRebuildStore } from './memory-rebuild-store.ts';
export { TallyBoards, tallyArea, type Tally, type Trap } from './tally-areas.ts';
