export * from './event-store.ts';
export { eventStoreMigrations } from './migrations.ts';
export { LogWriter } from './postgres/log-writer.ts';
export {
  INSERT_EVENTS,
  MOVE_HEAD,
  eventRow,
  isDuplicateKey,
  recordOf,
  type EventRow,
} from './postgres/log-statements.ts';
export { PostgresEventStore } from './postgres/postgres-event-store.ts';
export { decodeFact, encodeFact, upcast, type StoredFact } from './record-codec.ts';
export { FIND_KEYS, PostgresLogReader } from './postgres/postgres-log-reader.ts';
