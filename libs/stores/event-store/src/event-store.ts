import type { Instant } from '@laurel/calendar';
import {
  NOBODY,
  type AccountEvent,
  type CorrectionRecorded,
  type DomainEvent,
  type DomainEventType,
  type KeyHash,
  type NewRecord,
  type PointsRequest,
  type RecordedEvent,
  type Subject,
  type UserRef,
} from '@laurel/kernel';
import type { StoredLog } from './stored-record.ts';

/**
 * The read half of the append-only log, the only source of truth: everything else is a projection of it.
 *
 * Guarantees of every adapter (held by the contract suite in `@laurel/testing`):
 * - total order: positions grow in the order of recording; they need not be contiguous;
 * - nothing ever appears at or before a position that a reader has already passed;
 * - instants, values and texts are returned exactly as they were appended, except `recordedAt`: in Postgres it never decreases, whatever the
 *   clocks of the writers say.
 */
export interface EventLog {
  /** Records after `after` (0, or the position of a record), in order, at most `limit`; fewer only if there are no more at present. */
  read(after: number, limit: number): Promise<readonly RecordedEvent[]>;
  /**
   * The records of an account that concern no single user and have no idempotency key (configurations, imports, sweeps), in order.
   * @param types only events of these types; default: all, among them possibly very many sweeps
   */
  readAccountEvents(account: string, types?: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]>;
  /** The used keys among these, with the events that used them. */
  findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]>;
  /** The position of the newest record; 0 for an empty log. */
  head(): Promise<number>;
}

/** Reads administrative records, in a log that can find them: one in Postgres. */
export interface AdministrativeLog {
  /**
   * Administrative records of an account (publications, imports, keys, and what else has an actor), newest first, at most `limit`;
   * fewer only if there are no more.
   * @param before only records before this position; null to begin with the newest
   */
  readAdministrative(account: string, before: number | null, limit: number): Promise<readonly RecordedEvent[]>;
  /** Administrative records after position `after`, in the order of the log, at most `limit`. */
  readAdministrativeBehind(account: string, after: number, limit: number): Promise<readonly RecordedEvent[]>;
}

/** Reads the records of one user, in a log that can skip the others: one in Postgres. */
export interface UserLog {
  /** The records of a user after `after`, up to and including position `upTo`, in order. */
  readOfUser(account: string, subject: Subject, after: number, upTo: number): Promise<readonly RecordedEvent[]>;
}

/** Reads records of some types, in a log that can skip the others: one in Postgres. */
export interface TypedLog {
  /**
   * Of the next `looked` records after `after`, those of these types, in order, at most `limit`. `upTo` is the position up to which all
   * records of these types are returned, and `more` says whether there may be records after it.
   */
  readOfTypes(
    after: number,
    asked: { readonly types: readonly DomainEventType[]; readonly looked: number; readonly limit: number },
  ): Promise<{ readonly records: readonly RecordedEvent[]; readonly upTo: number; readonly more: boolean }>;
}

/** Reads the newest records, in a log that can count the others: one in Postgres. */
export interface NewestLog {
  /**
   * The newest records of users after `after`, up to and including position `upTo`, in order, at most `limit`.
   * @returns also the number of `others`
   */
  readNewestOfUsers(
    account: string,
    asked: { readonly after: number; readonly upTo: number; readonly limit: number },
  ): Promise<{ readonly records: readonly RecordedEvent[]; readonly others: number }>;
  /** The number of records after `after`, up to and including `upTo`; `most` if there are more. */
  count(after: number, upTo: number, most: number): Promise<number>;
  /** The position after which there are this many records, up to and including `upTo`; 0 if there are fewer. */
  before(upTo: number, records: number): Promise<number>;
}

/** The reads of a rebuild. */
export interface ReplayedLog extends Pick<EventLog, 'read'>, Pick<EventLookup, 'readAt' | 'correctionsOf'> {
  /** The users with corrections after position `after`, each once. */
  correctedBehind(after: number): Promise<readonly Subject[]>;
}

/** Reads requests for points, in a log that can skip the others: one in Postgres. */
export interface RequestLog {
  /** The requests after position `after`, in the order of the log, at most `limit`, each with its verdict if the log has one. */
  readRequests(after: number, limit: number): Promise<readonly RecordedEvent<PointsRequest>[]>;
}

/** Reads single records, for explanations. */
export interface EventLookup {
  /** The records at these positions, at most 1,000, in the order of the log; positions without a record are skipped. */
  readAt(positions: readonly number[]): Promise<readonly RecordedEvent[]>;
  /** The record with this id; null if the account has none. @param eventId a UUID */
  find(account: string, eventId: string): Promise<RecordedEvent | null>;
  /** The account's records with these ids, in the order of the log. One statement. @param eventIds UUIDs, at most 1,000, none twice */
  findAll(account: string, eventIds: readonly string[]): Promise<readonly RecordedEvent[]>;
  /** The corrections of these users, in the order of the log. */
  correctionsOf(subjects: readonly Subject[]): Promise<readonly RecordedEvent<CorrectionRecorded>[]>;
}

/**
 * The log of processes that share it. In addition to the guarantees of {@link EventLog}:
 * - per (account, metric, user, idempotency key) at most one metric event, for ever (specification, section 3), whichever
 *   process appends it;
 * - a `recorded` record is durable.
 */
export interface EventStore extends EventLog, StoredLog {
  /**
   * Appends each record separately, and returns the outcome of each, in the same order. Records of one user, and records of an account that
   * concern no single user, keep their order within a call: after one that `failed`, none of them is recorded. Several calls may run at once.
   *
   * Records that `failed` may be appended again on the same object: one that had been recorded after all is then `recorded` with its position,
   * and never recorded twice.
   * @throws LogOverloadedError if too many records wait: nothing of the call was recorded. No other error, while the store is open.
   */
  append(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]>;
  /**
   * Calls `listener` when any process may have appended something. A call may come for nothing, and one may be missed, so readers poll as
   * well. @returns a function that removes the listener
   */
  onAppend(listener: () => void): () => void;
  /**
   * Checks whether this process may append and read.
   * @throws EventStoreAccessError if not; until a later check succeeds, `append` returns `failed` with `nothing` at once.
   * Any other error if the store cannot be reached.
   */
  checkAccess(): Promise<void>;
  /** Settles the waiting records, then closes the connections. */
  close(): Promise<void>;
}

/** The outcome of the append of one record. */
export type AppendOutcome =
  /** The record as it was appended, with its position; its stored `recordedAt` may be later. */
  | { readonly kind: 'recorded'; readonly record: RecordedEvent }
  /** Its idempotency key had been used; nothing was recorded. */
  | { readonly kind: 'used'; readonly original: UsedKey }
  /** Its user has been erased; nothing was recorded, and no record of this subject ever will be. */
  | { readonly kind: 'erased' }
  /** The record is an erasure, and an import of the account is open in the log; nothing was recorded. */
  | { readonly kind: 'import_open' }
  /** The store refuses the record itself, and would refuse it again; nothing was recorded. */
  | { readonly kind: 'rejected'; readonly error: Error }
  /**
   * The store could not be reached in time, or refuses this process ({@link EventStoreAccessError}). `nothing`: it was not recorded.
   * `unknown`: it may have been.
   */
  | { readonly kind: 'failed'; readonly recorded: 'nothing' | 'unknown'; readonly error: Error };

/** The event that used an idempotency key. */
export interface UsedKey extends UserRef {
  readonly keyHash: KeyHash;
  readonly eventId: string;
  readonly position: number;
  readonly occurredAt: Instant;
}

/** The hash of the record's idempotency key; null if it has none. */
export const keyHashIn = ({ fact }: NewRecord): KeyHash | null => ('keyHash' in fact ? fact.keyHash : null);

/** The user whom the event concerns; nobody if it concerns the account. */
export const subjectIn = (fact: DomainEvent): Subject => ('subject' in fact ? fact.subject : NOBODY);

/** Too many records wait to be appended. Nothing of the call was recorded. */
export class LogOverloadedError extends Error {
  override readonly name = 'LogOverloadedError';
}

/**
 * The store refuses this process until somebody changes a right, the password or a certificate. The message says which, holds no
 * secret, and may be shown to everybody.
 */
export class EventStoreAccessError extends Error {
  override readonly name = 'EventStoreAccessError';
}

/** Another process has taken the log over; this process must stop writing. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  constructor() {
    super('another process has taken over the event log; this one may not write to it any more');
  }
}

/** An idempotency key in the append has been used before. Nothing was appended. */
export class DuplicateKeyError extends Error {
  override readonly name = 'DuplicateKeyError';
}

/** Another living process writes to this log. */
export class LogInUseError extends Error {
  override readonly name = 'LogInUseError';
}
