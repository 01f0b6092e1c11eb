import type { Instant } from '@laurel/calendar';
import type { LogRecord, NewRecord } from '@laurel/contracts';

/**
 * The append-only log: the only truth. Everything else is a projection of it.
 *
 * Guarantees of every adapter (held by the contract suite in `@laurel/testing`):
 * - total order: positions grow in the order of appending; they need not be contiguous;
 * - nothing ever appears at or below a position that a reader has already passed;
 * - an append is all or nothing, and durable when it is answered;
 * - per (account, metric, user, idempotency key) at most one metric event, for ever (specification, section 3);
 * - one writer: once a newer writer has taken the log over, every append of an older one fails with {@link FencedError}.
 */
export interface EventStore {
  /** @throws FencedError, DuplicateKeyError (nothing was appended); any other error: the outcome may be unknown. */
  append(records: readonly NewRecord[]): Promise<readonly LogRecord[]>;
  /** Records behind `after`, in order of position, at most `limit`. */
  read(after: number, limit: number): Promise<readonly LogRecord[]>;
  /** The records of an account that concern no single user (configurations, imports, sweeps), in order. */
  readAccountFacts(account: string): Promise<readonly LogRecord[]>;
  /** Of these keys, those that have been used, with the event that used them. */
  findKeys(keys: readonly IdempotencyScope[]): Promise<readonly UsedKey[]>;
  /** Of these event ids, those that are recorded behind `after`: for an append whose answer was lost. */
  findEvents(eventIds: readonly string[], after: number): Promise<ReadonlySet<string>>;
  /** The position of the newest record; 0 for an empty log. */
  head(): Promise<number>;
}

/** What an idempotency key is unique within, and the key. */
export interface IdempotencyScope {
  readonly account: string;
  readonly userId: string;
  readonly metric: string;
  readonly key: string;
}

export interface UsedKey {
  readonly scope: IdempotencyScope;
  readonly eventId: string;
  readonly position: number;
  readonly occurredAt: Instant;
}

/** A scope as one string, for maps: lengths first, so that no two scopes give the same. */
export const scopeKey = ({ account, userId, metric, key }: IdempotencyScope): string =>
  `${account.length}:${userId.length}:${metric.length}:${account}${userId}${metric}${key}`;

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
