export { openTestDatabase } from './database.ts';
export type { TestDatabase } from './database.ts';
export * from './doors/index.ts';
export { describeEventStoreContract, type EventStoreUnderTest } from './event-store-contract.ts';
export { MemoryBatchStore, type Fault } from './memory-batch-store.ts';
export { MemoryRebuildStore } from './memory-rebuild-store.ts';
export * from './http-suite/index.ts';
export * from './trophy/index.ts';
export { TallyBoards, tallyArea, type Tally, type Trap } from './tally-areas.ts';
