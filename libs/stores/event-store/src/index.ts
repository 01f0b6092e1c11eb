export * from './event-store.ts';
export { keyHashOf, type IdempotencyScope } from './key-hash.ts';
export { previewIdOf } from './preview-id.ts';
export { byKeyHash, keyHashesOf, keysOf, originalAmong } from './key-readings.ts';
export { eventStoreMigrations } from './migrations.ts';
export { OldLogError, dropOldLog, holdsOldLog, moveOldLog, refuseOldLog } from './postgres/old-log.ts';
export type { SessionConfig } from './postgres/session-config.ts';
export { endSession } from './postgres/end-session.ts';
export { findPosition } from './chain/find-event.ts';
export { LogProofs, type InclusionProof } from './chain/log-proofs.ts';
export {
  BLOCK,
  EMPTY_CHAIN,
  chainParameters,
  chained,
  prefixOf,
  type ChainHead,
  type ChainStep,
} from './chain/log-chain.ts';
export { verifyKeptLog } from './chain/verify-kept-log.ts';
export { verifyLog, type LogFinding, type LogVerification } from './chain/verify-log.ts';
export { rootOf, type Hash } from './chain/merkle-tree.ts';
export { READ_CHAIN, catchUpChain, chainHeadOf, moveChain, readChain, type ChainRow } from './chain/postgres-chain.ts';
export { storedRecordsOf, textOfRecord, type StoredLog, type StoredRecord } from './stored-record.ts';
export { LogWriter } from './postgres/log-writer.ts';
export {
  moveHead,
  eventRow,
  rowOfStored,
  storedOfRow,
  isDuplicateKey,
  isRefusedData,
  recordOf,
  type EventRow,
} from './postgres/log-statements.ts';
export {
  DEFAULT_EVENT_STORE_DB_OPTIONS,
  EventStoreDbEventStore,
  type EventStoreDbOptions,
} from './event-store-db/event-store-db-event-store.ts';
export { HOLD_COPY, LogCopy, type LogCopyParts } from './event-store-db/log-copy.ts';
export { typeNumberOf } from './postgres/type-numbers.ts';
export { PostgresEventStore, type PostgresEventStoreParts } from './postgres/postgres-event-store.ts';
export { keysToOpen, keysToSeal, openedOf, sealedOf, type KeysByUser } from './personal-fields.ts';
export {
  UnreadableRecordError,
  decodeFact,
  encodeFact,
  EVENT_ATTRIBUTES,
  personalOf,
  upcast,
  withPersonal,
  type Json,
  type StoredFact,
} from './record-codec.ts';
export {
  COPIED_LOG,
  FIND_KEYS,
  LOG,
  PostgresLogReader,
  READ_ADMINISTRATIVE,
  type LogTables,
} from './postgres/postgres-log-reader.ts';
export { copyLog, type CopyParts } from './first-form/copy-log.ts';
export { firstFormOfEventStoreDb } from './first-form/event-store-db-source.ts';
export { liftRecords, type FirstFormFact, type FirstFormRecord } from './first-form/lift-records.ts';
export { newEventId } from './new-event-id.ts';
