export { Chain, type ChainResult, type OnFailure } from './chain.ts';
export { DEFAULT_ENGINE_OPTIONS, Engine, type EngineOptions, type EngineParts, type EngineStatus } from './engine.ts';
export { userKey, type AnyUserArea, type StoredDocument, type UserRef } from './document.ts';
export {
  RefusedDataError,
  type BatchStore,
  type Checkpoint,
  type CommitBatch,
  type InboxMessage,
} from './batch-store.ts';
export type { LaneState } from './lane.ts';
export { projectionMigrations } from './migrations.ts';
export { PostgresBatchStore } from './postgres-batch-store.ts';
export type { CompileHistory, Publication } from './publications.ts';
export { postgresStateReader } from './postgres-state-reader.ts';
