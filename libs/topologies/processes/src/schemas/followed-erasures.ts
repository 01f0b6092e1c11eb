import type { SqlReader } from '@laurel/kernel';
import { repeat, type CancelTimer, type Clock, type Directory } from '@laurel/ports';
import { typeNumberOf } from '@laurel/event-store';
import { readIfColumnsExist } from './read-if-there.ts';
import { SCHEMAS } from './schemas.ts';

/** Interval of polls: the longest time until this process learns of another one's erasure. */
const REFRESH_MS = 500;

/** Users that one statement reads. */
const MOST_USERS = 1_000;

/** With the log in EventStoreDB, `erased_to` counts the rows of `erasures`, which the first gateway of this release creates. */
const READ_NEWEST = `
select erased_to, to_regclass('${SCHEMAS.ingestion}.erasures') is not null as may_be_kept from ${SCHEMAS.ingestion}.log_head`;

/** $1: the position before the first erasure, $2: the position of the last. */
const READ_ERASED = `
select position, account, subject from ${SCHEMAS.ingestion}.events
where type = ${typeNumberOf('UserErased')} and position > $1::bigint and position <= $2::bigint
order by position limit ${MOST_USERS}`;

const READ_KEPT = `
select number as position, account, subject from ${SCHEMAS.ingestion}.erasures
where number > $1::bigint and number <= $2::bigint order by number limit ${MOST_USERS}`;

interface ErasedRow {
  readonly position: string;
  readonly account: string;
  readonly subject: string;
}

/** Makes a directory forget the users whom other processes erase: it polls the log for newer erasures. */
export class FollowedErasures {
  readonly #sql: SqlReader;
  readonly #directory: Pick<Directory, 'forget'>;
  readonly #clock: Pick<Clock, 'after'>;
  /** Position of the newest known erasure; null before the first read. */
  #known: number | null = null;
  #refreshing: Promise<void> | null = null;
  #cancel: CancelTimer = () => undefined;

  /** @param sql of any schema of the database */
  constructor(sql: SqlReader, directory: Pick<Directory, 'forget'>, clock: Pick<Clock, 'after'>) {
    this.#sql = sql;
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Call it before the first read of the directory, so that the directory caches no user who was erased earlier. */
  async follow(onTrouble: (error: unknown) => void): Promise<void> {
    await this.refresh();
    this.#cancel = repeat(this.#clock, REFRESH_MS, () => this.refresh(), onTrouble);
  }

  stop(): void {
    this.#cancel();
  }

  /** Reads now; calls during a read share its result. @throws StoreUnavailableError */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#read().finally(() => (this.#refreshing = null));
    return this.#refreshing;
  }

  async #read(): Promise<void> {
    const { newest, mayBeKept } = await this.#newest();
    this.#known ??= newest;
    while (this.#known < newest) {
      const range = [this.#known, newest];
      const kept = mayBeKept ? await this.#sql.query<ErasedRow>(READ_KEPT, range) : [];
      const rows: readonly ErasedRow[] = kept.length > 0 ? kept : await this.#sql.query<ErasedRow>(READ_ERASED, range);
      for (const { account, subject } of rows) this.#directory.forget({ account, subject: Number(subject) });
      this.#known = rows.length < MOST_USERS ? newest : Number(rows.at(-1)?.position);
    }
  }

  async #newest(): Promise<{ readonly newest: number; readonly mayBeKept: boolean }> {
    // A process may start before the first ingestion gateway of this release.
    const [row] = await readIfColumnsExist<{ erased_to: string; may_be_kept: boolean }>(this.#sql, READ_NEWEST);
    return { newest: Number(row?.erased_to ?? 0), mayBeKept: row?.may_be_kept ?? false };
  }
}
