import type { UserRecord } from '@laurel/kernel';
import type { EffectsByArea } from './explain-reads.ts';

/** An event of a user as those see it who watch the account. */
export interface LiveEntry {
  /** null: the user has been erased. */
  readonly userId: string | null;
  readonly record: UserRecord;
  readonly effects: EffectsByArea;
}

/** What is recorded of the users of an account, as it comes. Sweeps are left out, and so is what concerns no user. */
export interface LiveReads {
  /**
   * Up to this position, what the events caused can be read. Where an area has halted it holds nothing back.
   * @throws StoreUnavailableError
   */
  applied(): Promise<number>;
  /** Of the newest record, which may not be applied yet. @throws StoreUnavailableError */
  head(): Promise<number>;
  /**
   * The events of users behind `after`, in order, out of at most `limit` records of the log.
   * @returns `position`: all up to it were looked at, none behind {@link applied}
   * @throws StoreUnavailableError
   */
  behind(
    account: string,
    after: number,
    limit: number,
  ): Promise<{ readonly records: readonly UserRecord[]; readonly position: number }>;
  /**
   * The newest events of users behind `after`, in order, at most `limit`, and how many are `skipped` before them.
   * @returns `position`: of {@link applied}, unless `after` lies behind it
   * @throws StoreUnavailableError
   */
  newest(
    account: string,
    after: number,
    limit: number,
  ): Promise<{ readonly records: readonly UserRecord[]; readonly skipped: number; readonly position: number }>;
  /** How many records lie behind `after`, up to and including `upTo`; `most` if there are more. @throws StoreUnavailableError */
  count(after: number, upTo: number, most: number): Promise<number>;
  /** The position behind which so many records lie, up to and including `upTo`; 0 if there are not as many. @throws StoreUnavailableError */
  before(upTo: number, records: number): Promise<number>;
  /** What each caused, in a constant number of statements however many there are. @throws StoreUnavailableError */
  entries(account: string, records: readonly UserRecord[]): Promise<readonly LiveEntry[]>;
}
