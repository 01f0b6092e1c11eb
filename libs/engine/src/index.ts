export { AreaRows } from './folding/area-rows.ts';
export { commandBytes } from './single-writer/command-bytes.ts';
export { DEFAULT_QUEUE_BOUNDS, QueueBudget } from './single-writer/queue-budget.ts';
export { dueInstants, owedByNewcomer } from './folding/owed-by-newcomer.ts';
export { Chain } from './single-writer/chain.ts';
export { DEFAULT_ENGINE_OPTIONS, Engine, type EngineDependencies, type EngineStatus } from './single-writer/engine.ts';
export { StaleReadModelsError } from './single-writer/checkpoints.ts';
export type { PreviewedCorrection } from './single-writer/correction-previews.ts';
export { type CorrectionReads } from './single-writer/document-at-folds.ts';
export { RecentEvents, type CommittedEvents } from './single-writer/recent-events.ts';
export { FoldsAtOnce } from './folding/folds-at-once.ts';
export { digestOf, type Digest, type DigestedArea } from './digest/digest.ts';
export {
  USER_AREA_NAMES,
  decodeDocument,
  encodeDocument,
  userKey,
  type AnyUserArea,
  type Document,
  type StoredDocument,
  type UserAreaName,
  type UserRef,
} from './folding/document.ts';
export {
  type BatchStore,
  type Checkpoint,
  type CommitBatch,
  type EncodedChange,
  type InboxMessage,
} from './storage/batch-store.ts';
export { dueUsersIn, type DueUser, type ReadDueUsers } from './due/due-users.ts';
export { withRuns } from './folding/with-runs.ts';
export { refused, refusedBy } from './single-writer/refused.ts';
export type { QueueState } from './single-writer/queue-owner.ts';
export { decodeExact, encodeExact } from './folding/message-codec.ts';
export { projectionMigrations } from './single-writer/migrations.ts';
export { PostgresBatchStore } from './single-writer/postgres-batch-store.ts';
export { publicationsIn, type RecordedPublication } from './folding/publications.ts';
export { decodeMessage, encodeMessage } from './folding/message-codec.ts';
export { BoostRecorder } from './due/boost-recorder.ts';
export { RunRecorder } from './due/run-recorder.ts';
export { decisionCheckpoint } from './due/decision-checkpoint.ts';
export { DecisionRecorder } from './due/decision-recorder.ts';
export { turnRecorder, type TurnRecorder } from './due/turn-recorder.ts';
export { readDocuments } from './storage/postgres-tables.ts';
export { postgresStateReader } from './storage/postgres-state-reader.ts';
export { PostgresRebuildStore } from './rebuild/postgres-rebuild-store.ts';
export { removeAbandonedRebuild } from './rebuild/rebuild-connections.ts';
export { type RebuildStore } from './rebuild/rebuild-store.ts';
export { NotRebuildableError, areasToRebuild } from './rebuild/areas-to-rebuild.ts';
export { Rebuild } from './rebuild/rebuild.ts';
export { DEFAULT_REBUILD_OPTIONS, type RebuildOptions } from './rebuild/rebuild-options.ts';
export {
  comparedRows,
  differing,
  firstDifferenceIn,
  inOrder,
  type DifferingRow,
  type RebuildDifference,
} from './rebuild/rebuild-comparison.ts';
export { BoardsProjection } from './partitioned/boards-projection.ts';
export { decodeContributions, encodeContributions } from './partitioned/contributions-codec.ts';
export { ChainService, type ChainServiceEvent } from './partitioned/chain-service.ts';
export { DueReview } from './partitioned/due-review.ts';
export { START, type PartitionCheckpoint } from './partitioned/checkpoint.ts';
export { chainServiceMigrations } from './partitioned/migrations.ts';
export { type PartitionCommit, type PartitionStore } from './partitioned/partition-store.ts';
export { PartitionWorker } from './partitioned/partition-worker.ts';
export { PostgresPartitionStore, type PreparedStatements } from './partitioned/postgres-partition-store.ts';
export type { PartitionProjection } from './partitioned/projection.ts';
export { decodeEffect, encodeStreamed, headersOf } from './partitioned/protocol.ts';
export { Publications } from './partitioned/publications.ts';
export type { AppliedContributions, AppliedRecord, Routed, RoutedEffect, Routes } from './partitioned/routes.ts';
export { ChainReplay } from './partitioned/rebuild/replay.ts';
export { assertStateVersions, type StateVersions } from './partitioned/state-versions.ts';
export { UserProjection } from './partitioned/user-projection.ts';
export { ChainKeeper } from './partitioned/relay/chain-keeper.ts';
export { DueSweeper } from './partitioned/relay/due-sweeper.ts';
export { Leadership, holdLead } from './partitioned/relay/leadership.ts';
export { PostgresRelayStore, relayMigrations } from './partitioned/relay/relay-store.ts';
export { Relay } from './partitioned/relay/relay.ts';
export { turnOfTheLoop } from './folding/turn-of-the-loop.ts';
export {
  UserFold,
  foldEvent,
  foldEvents,
  type FoldStart,
  type FoldedEvent,
  type FoldedEvents,
} from './folding/user-fold.ts';
export {
  UserEvents,
  eachEvent,
  positionsInPostgres,
  recordOfUser,
  recordedUserEventOf,
} from './folding/user-events.ts';
export { changesOf, correctionsOfEvents } from './folding/event-changes.ts';
export { CorrectionRefusedError } from './folding/correction-refused-error.ts';
export type { FoldListener } from './folding/branch.ts';
