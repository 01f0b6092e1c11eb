import type { RecordedUserEvent } from '@laurel/kernel';
import type { EffectsByArea } from './explain-reads.ts';

/** An event of a user, as watchers of the account see it. */
export interface LiveEntry {
  /** null if the user was erased. */
  readonly userId: string | null;
  readonly record: RecordedUserEvent;
  readonly effects: EffectsByArea;
}

/** Reads the events of an account's users as they are recorded. Sweeps and events that concern no user are left out. */
export interface LiveReads {
  /**
   * The position up to which the effects of events can be read. Stopped areas do not count.
   * @throws StoreUnavailableError
   */
  applied(): Promise<number>;
  /** The position of the newest record, which may not be applied yet. @throws StoreUnavailableError */
  head(): Promise<number>;
  /**
   * The events of users after `after`, in order, out of at most `limit` records of the log.
   * @returns `position`: the last record read, never after {@link applied}
   * @throws StoreUnavailableError
   */
  behind(
    account: string,
    after: number,
    limit: number,
  ): Promise<{ readonly records: readonly RecordedUserEvent[]; readonly position: number }>;
  /**
   * The newest events of users after `after`, in order, at most `limit`, and the number `skipped` before them.
   * @returns `position`: that of {@link applied}, unless `after` is later
   * @throws StoreUnavailableError
   */
  newest(
    account: string,
    after: number,
    limit: number,
  ): Promise<{ readonly records: readonly RecordedUserEvent[]; readonly skipped: number; readonly position: number }>;
  /** The number of records after `after` and up to `upTo`, at most `most`. @throws StoreUnavailableError */
  count(after: number, upTo: number, most: number): Promise<number>;
  /**
   * The position after which there are `records` records, up to and including `upTo`; 0 if there are fewer. @throws
   * StoreUnavailableError
   */
  before(upTo: number, records: number): Promise<number>;
  /** The events with their effects, in a constant number of statements. @throws StoreUnavailableError */
  entries(account: string, records: readonly RecordedUserEvent[]): Promise<readonly LiveEntry[]>;
}
