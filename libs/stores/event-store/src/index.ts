export * from './event-store.ts';
export { keyHashOf } from './key-hash.ts';
export { requestDecided } from './request-decided.ts';
export { previewIdOf } from './preview-id.ts';
export { byKeyHash, keyHashesOf, keysOf, originalAmong } from './key-readings.ts';
export { eventStoreMigrations } from './migrations.ts';
export { OldLogError, dropOldLog, holdsOldLog, moveOldLog, refuseOldLog } from './postgres/old-log.ts';
export type { LogSessionConfig } from './postgres/session-config.ts';
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
  type HashStep,
} from './chain/log-chain.ts';
export { verifyKeptLog } from './chain/verify-kept-log.ts';
export { verifyLog, type LogFinding } from './chain/verify-log.ts';
export { rootOf, type Hash } from './chain/merkle-tree.ts';
export { READ_CHAIN, catchUpChain, chainHeadOf, moveChain, readChain, type ChainRow } from './chain/postgres-chain.ts';
export { storedRecordsOf, textOfRecord, type StoredLog, type StoredRecord } from './stored-record.ts';
export { LogWriter } from './postgres/log-writer.ts';
export { moveHead, rowOfStored, isDuplicateKey, isRefusedData } from './postgres/log-statements.ts';
export { EventStoreDbEventStore } from './event-store-db/event-store-db-event-store.ts';
export { HOLD_COPY, LogCopy } from './event-store-db/log-copy.ts';
export { typeNumberOf } from './postgres/type-numbers.ts';
export { PostgresEventStore } from './postgres/postgres-event-store.ts';
export { keysToOpen, keysToSeal, openedOf, sealedOf, type KeysByUser } from './personal-fields.ts';
export { decodeEvent, encodeEvent } from './record-codec.ts';
export { EVENT_ATTRIBUTES, personalOf, withPersonal } from './user-fields-codec.ts';
export type { Json } from './stored-event-data.ts';
export { COPIED_LOG, LOG, type LogTables } from './postgres/log-tables.ts';
export { PostgresLogReader, READ_ADMINISTRATIVE } from './postgres/postgres-log-reader.ts';
export { lacksVerdict, RecordedVerdicts } from './postgres/recorded-verdicts.ts';
export { copyLog } from './first-form/copy-log.ts';
export { firstFormOfEventStoreDb } from './first-form/event-store-db-source.ts';
export { newEventId } from './new-event-id.ts';
