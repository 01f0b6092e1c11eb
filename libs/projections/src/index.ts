export { AreaRows } from './area-rows.ts';
export { commandBytes } from './command-bytes.ts';
export { DEFAULT_QUEUE_BOUNDS, QueueBudget, type QueueBounds } from './queue-budget.ts';
export { importOpened } from './fact-of.ts';
export { dueInstants, owedByNewcomer } from './owed-by-newcomer.ts';
export { Chain, type ChainResult, type OnFailure } from './chain.ts';
export {
  DEFAULT_ENGINE_OPTIONS,
  Engine,
  StaleReadModelsError,
  type EngineOptions,
  type EngineParts,
  type EngineStatus,
} from './engine.ts';
export { factOf, isImport } from './fact-of.ts';
export { DamagedStateError } from './damaged-state.ts';
export { applyToDraft, type DraftingBatch } from './apply-to-draft.ts';
export { ChangedUsers } from './changed-users.ts';
export { UserFold, foldEvents, type FoldedEvent } from './fold/user-fold.ts';
export { UserEvents, positionsInPostgres, userRecordOf, type UserPositions } from './fold/user-events.ts';
export { DocumentCache } from './document-cache.ts';
export { digestOf, type Digest, type DigestedArea } from './digest/digest.ts';
export {
  USER_AREA_NAMES,
  decodeState,
  encodeDocument,
  userKey,
  type AnyUserArea,
  type Document,
  type StoredDocument,
  type UserAreaName,
  type UserRef,
} from './document.ts';
export {
  RefusedDataError,
  type BatchStore,
  type Checkpoint,
  type CommitBatch,
  type EncodedChange,
  type InboxMessage,
} from './batch-store.ts';
export { dueUsersIn, type DueUser, type ReadDueUsers } from './due-users.ts';
export { refused, type QueueState } from './single-writer-queue.ts';
export { decodeExact, encodeExact } from './message-codec.ts';
export { projectionMigrations } from './migrations.ts';
export { PostgresBatchStore } from './postgres-batch-store.ts';
export { publicationsIn, type CompileHistory, type Publication } from './publications.ts';
export { decodeMessage, encodeMessage } from './message-codec.ts';
export { storableDueAt } from './batch-store.ts';
export { joinObjects } from './postgres-tables.ts';
export { postgresStateReader } from './postgres-state-reader.ts';
export {
  PostgresRebuildStore,
  removeAbandonedRebuild,
  type PostgresRebuildOptions,
} from './rebuild/postgres-rebuild-store.ts';
export { TablesInUseError, TakeOverUnknownError, type RebuildStore } from './rebuild/rebuild-store.ts';
export {
  DEFAULT_REBUILD_OPTIONS,
  NotRebuildableError,
  Rebuild,
  RebuildFailedError,
  areasToRebuild,
  type RebuildOptions,
  type RebuildParts,
} from './rebuild/rebuild.ts';
