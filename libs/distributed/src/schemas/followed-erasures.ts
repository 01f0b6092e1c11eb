import { repeat, type CancelTimer, type Clock, type Directory, type SqlReader } from '@laurel/contracts';
import { typeNumberOf } from '@laurel/event-store';
import { SCHEMAS } from './schemas.ts';

/** A user whom another process has erased is forgotten after so long at the latest. */
const REFRESH_MS = 500;

/** In one statement. */
const MOST_USERS = 1_000;

const READ_NEWEST = `select erased_to from ${SCHEMAS.ingestion}.log_head`;

/** $1: a position behind which the erasures are, $2: up to where. */
const READ_ERASED = `
select position, account, subject from ${SCHEMAS.ingestion}.events
where type = ${typeNumberOf('UserErased')} and position > $1::bigint and position <= $2::bigint
order by position limit ${MOST_USERS}`;

/** A process that starts before the first ingestion gateway of this release finds no such schema, table or column yet. */
const NOT_THERE = ['3F000', '42P01', '42703'];

interface ErasedRow {
  readonly position: string;
  readonly account: string;
  readonly subject: string;
}

/** Has a directory forget whom other processes erase: it looks again and again whether the log has a newer erasure than it knows. */
export class FollowedErasures {
  readonly #sql: SqlReader;
  readonly #directory: Pick<Directory, 'forget'>;
  readonly #clock: Pick<Clock, 'after'>;
  /** Position of the newest erasure that is known; null: nothing was read yet. */
  #known: number | null = null;
  #refreshing: Promise<void> | null = null;
  #cancel: CancelTimer = () => undefined;

  /** @param sql of any schema of the database */
  constructor(sql: SqlReader, directory: Pick<Directory, 'forget'>, clock: Pick<Clock, 'after'>) {
    this.#sql = sql;
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Call it before the first read of the directory: then the directory remembers nobody who was erased earlier. */
  async follow(onTrouble: (error: unknown) => void): Promise<void> {
    await this.refresh();
    this.#cancel = repeat(this.#clock, REFRESH_MS, () => this.refresh(), onTrouble);
  }

  stop(): void {
    this.#cancel();
  }

  /** Looks now; those who ask while it looks share what is found. @throws StoreUnavailableError */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#read().finally(() => (this.#refreshing = null));
    return this.#refreshing;
  }

  async #read(): Promise<void> {
    const newest = await this.#newest();
    this.#known ??= newest;
    while (this.#known < newest) {
      const rows: readonly ErasedRow[] = await this.#sql.query<ErasedRow>(READ_ERASED, [this.#known, newest]);
      for (const { account, subject } of rows) this.#directory.forget({ account, subject: Number(subject) });
      this.#known = rows.length < MOST_USERS ? newest : Number(rows.at(-1)?.position);
    }
  }

  async #newest(): Promise<number> {
    try {
      const [row] = await this.#sql.query<{ erased_to: string }>(READ_NEWEST, []);
      return Number(row?.erased_to ?? 0);
    } catch (error) {
      if (NOT_THERE.includes((error as { readonly code?: string }).code ?? '')) return 0;
      throw error;
    }
  }
}
