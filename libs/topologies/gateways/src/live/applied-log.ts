import type { SqlReader } from '@laurel/kernel';
import { COPIED_LOG, type LogTables, type NewestLog } from '@laurel/event-store';
import { partitionOf } from '@laurel/event-stream';
import type { AppliedPositions, PartitionProgress } from '../answers/index.ts';

export interface AppliedLogParts {
  /** Of the services of users. */
  readonly applied: AppliedPositions;
  readonly log: Pick<NewestLog, 'before' | 'count'>;
  /** Of the schema with the log. */
  readonly sql: SqlReader;
  readonly tables: LogTables;
  readonly partitions: number;
}

interface UserRow {
  readonly position: string;
  readonly account: string;
  readonly subject: string;
}

/** Records that are read at a time. */
const READ = 1_000;
/** Records by which a partition that is slower than the fastest holds the others back. */
const MOST_HELD_BACK = 10_000;

/** What got into a log in EventStoreDB behind the erasure of its user is published to nobody. */
const NOT_LATE = `
not exists (select from erasures e where e.account = r.account and e.subject = r.subject and e.position < r.position)`;

/** $1: a position. */
const usersBehind = (tables: LogTables): string => `
select r.position, r.account, r.subject from ${tables.events} r
where r.position > $1 and r.subject is not null ${tables === COPIED_LOG ? `and ${NOT_LATE}` : ''}
order by r.position limit ${READ}`;

/**
 * Knows the position up to which the services have applied every record that names a user. Each partition comes forward at its own speed, so that
 * is one before the first record that a service of its partition has not applied. A partition in which a service has halted holds
 * nothing back, and one that is more than 10,000 records behind the fastest no longer does.
 */
export class AppliedLog {
  readonly #parts: AppliedLogParts;
  #position = 0;
  #looking: Promise<number> | null = null;

  constructor(parts: AppliedLogParts) {
    this.#parts = parts;
  }

  /** Never moves back. Those who ask while it looks share what is found. @throws StoreUnavailableError */
  position(): Promise<number> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #look(): Promise<number> {
    const { applied, log, sql, tables, partitions } = this.#parts;
    const progress = await Promise.all(Array.from({ length: partitions }, (_, partition) => applied.read(partition)));
    const newest = Math.max(...progress.map(({ positions }) => Math.min(...positions)));
    // So many positions hold no more records than that, and in EventStoreDB far fewer.
    const isFar = newest - this.#position > MOST_HELD_BACK;
    if (isFar && (await log.count(this.#position, newest, MOST_HELD_BACK + 1)) > MOST_HELD_BACK)
      this.#position = Math.max(this.#position, await log.before(newest, MOST_HELD_BACK));
    for (;;) {
      const rows = await sql.query<UserRow>(usersBehind(tables), [this.#position]);
      const missing = rows.findIndex((row) => !isApplied(row, progress));
      const known = missing < 0 ? rows : rows.slice(0, missing);
      this.#position = Number(known.at(-1)?.position ?? this.#position);
      if (known.length < READ) return this.#position;
    }
  }
}

function isApplied({ position, account, subject }: UserRow, progress: readonly PartitionProgress[]): boolean {
  const of = progress[partitionOf(account, subject, progress.length)];
  return of !== undefined && (of.isHalted || Number(position) <= Math.min(...of.positions));
}
