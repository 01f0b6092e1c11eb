import type { Instant } from '@laurel/calendar';
import type {
  AccountFact,
  CorrectionRecorded,
  FactType,
  KeyHash,
  LogRecord,
  NewRecord,
  Subject,
  UserRef,
} from '@laurel/kernel';
import type { StoredLog } from './stored-record.ts';

/**
 * The append-only log: the only truth. Everything else is a projection of it. This is its read half.
 *
 * Guarantees of every adapter (held by the contract suite in `@laurel/testing`):
 * - total order: positions grow in the order of recording; they need not be contiguous;
 * - nothing ever appears at or below a position that a reader has already passed;
 * - instants, values and texts come back exactly as they were appended, but for `recordedAt`: in Postgres it never lies before that
 *   of the record before, whatever the clocks of the writers say.
 */
export interface EventLog {
  /** Records behind `after` (0, or the position of a record), in order, at most `limit`; fewer only if there are no more at present. */
  read(after: number, limit: number): Promise<readonly LogRecord[]>;
  /**
   * The records of an account that concern no single user (configurations, imports, sweeps), in order.
   * @param types only facts of these types; all if left out. There may be very many sweeps.
   */
  readAccountFacts(account: string, types?: readonly AccountFact['type'][]): Promise<readonly LogRecord[]>;
  /** Of these keys, those that have been used, with the event that used them. */
  findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]>;
  /** The position of the newest record; 0 for an empty log. */
  head(): Promise<number>;
}

/** What was done by hand, or by a process on its own, of a log that can find it among everything else: one in Postgres. */
export interface AdministrativeLog {
  /**
   * Administrative records of an account (publications, imports, keys, and what else has an actor), newest first, at most `limit`;
   * fewer only if there are no more.
   * @param before only records below this position; null: from the newest on.
   */
  readAdministrative(account: string, before: number | null, limit: number): Promise<readonly LogRecord[]>;
  /** Those behind position `after`, in the order of the log, at most `limit`. */
  readAdministrativeBehind(account: string, after: number, limit: number): Promise<readonly LogRecord[]>;
}

/** What names one user, of a log that can pass over the rest by itself: one in Postgres. */
export interface UserLog {
  /** The records of a user behind `after`, up to and including position `upTo`, in order: looks at no others than those in between. */
  readOfUser(account: string, subject: Subject, after: number, upTo: number): Promise<readonly LogRecord[]>;
}

/** Records of some types, of a log that reads no others for them: one in Postgres. */
export interface TypedLog {
  /**
   * Of the next `looked` records behind `after`, those of these types, in order, at most `limit`; `upTo` is the position up to which
   * no other of these types is left, and `more` whether there may be records behind it.
   */
  readOfTypes(
    after: number,
    asked: { readonly types: readonly FactType[]; readonly looked: number; readonly limit: number },
  ): Promise<{ readonly records: readonly LogRecord[]; readonly upTo: number; readonly more: boolean }>;
}

/** What comes last, of a log that can count what it leaves out: one in Postgres. */
export interface NewestLog {
  /**
   * Of the records of users behind `after`, up to and including position `upTo`, the newest, in order, at most `limit`.
   * @returns also how many `others` there are
   */
  readNewestOfUsers(
    account: string,
    asked: { readonly after: number; readonly upTo: number; readonly limit: number },
  ): Promise<{ readonly records: readonly LogRecord[]; readonly others: number }>;
  /** How many records lie behind `after`, up to and including `upTo`; `most` if there are more. */
  count(after: number, upTo: number, most: number): Promise<number>;
  /** The position behind which so many records lie, up to and including `upTo`; 0 if there are not as many. */
  before(upTo: number, records: number): Promise<number>;
}

/** The log as a rebuild reads it. */
export interface ReplayedLog extends Pick<EventLog, 'read'>, Pick<EventLookup, 'readAt' | 'correctionsOf'> {
  /** The users of whom there are corrections behind position `after`, each once. */
  correctedBehind(after: number): Promise<readonly Subject[]>;
}

/** Single records of the log, as explanations need them. */
export interface EventLookup {
  /** The records at these positions, at most 1,000, in the order of the log; a position without one is left out. */
  readAt(positions: readonly number[]): Promise<readonly LogRecord[]>;
  /** The record with this id; null: the account has none. @param eventId a UUID */
  find(account: string, eventId: string): Promise<LogRecord | null>;
  /** Those that the account has, in the order of the log. One statement. @param eventIds UUIDs, at most 1,000, none twice */
  findAll(account: string, eventIds: readonly string[]): Promise<readonly LogRecord[]>;
  /** The corrections of these users, in the order of the log. */
  correctionsOf(subjects: readonly Subject[]): Promise<readonly LogRecord<CorrectionRecorded>[]>;
}

/**
 * The log as processes that append to it side by side see it. Beside the guarantees of {@link EventLog}:
 * - per (account, metric, user, idempotency key) at most one metric event, for ever (specification, section 3), whichever
 *   process it came through;
 * - what is answered `recorded` is durable.
 */
export interface EventStore extends EventLog, StoredLog {
  /**
   * Records each by itself, and answers what became of each, in the same order. Records of one user, and records of an account that
   * concern no single user, keep their order within a call: behind one that `failed`, none of them is recorded. Several calls may
   * run at once.
   *
   * What was answered `failed` may be asked again with the same records on the same object: what had been recorded after
   * all is then answered `recorded` with its place, never recorded twice.
   * @throws LogOverloadedError if too much waits already: nothing of the call was recorded. Nothing else, while the store is open.
   */
  append(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]>;
  /**
   * Calls `listener` when something may have been appended, by any process. A hint: it may come for nothing, and one may be
   * missed, so readers poll as well. Answers what ends it.
   */
  onAppend(listener: () => void): () => void;
  /**
   * Asks the store whether this process may append and read.
   * @throws EventStoreAccessError if not; until a later check finds it mended, `append` answers `failed` with `nothing` at once.
   * Any other error if the store cannot be asked.
   */
  checkAccess(): Promise<void>;
  /** Settles what was taken in, then lets go of the store. */
  close(): Promise<void>;
}

/** What became of a record that was to be appended. */
export type AppendOutcome =
  /** `record` as it was appended, at its position; its `recordedAt` may be later in the store. */
  | { readonly kind: 'recorded'; readonly record: LogRecord }
  /** Its idempotency key had been used; nothing was recorded. */
  | { readonly kind: 'used'; readonly original: UsedKey }
  /** Its user has been erased; nothing was recorded, and nothing will be under this subject. */
  | { readonly kind: 'erased' }
  /** It erases a user, and an import of the account is open in the log; nothing was recorded. */
  | { readonly kind: 'import_open' }
  /** The store refuses this very record, and would again; nothing was recorded. */
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

/** The hash of the record's idempotency key; null: it has none. */
export const keyHashIn = ({ fact }: NewRecord): KeyHash | null => ('keyHash' in fact ? fact.keyHash : null);

/** More records wait to be appended than the store takes in. Nothing of the call was recorded. */
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

/** Another process has taken the log over; this one must not write any more. */
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
