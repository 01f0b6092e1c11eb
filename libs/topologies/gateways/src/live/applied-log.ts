import type { SqlReader } from '@laurel/kernel';
import { COPIED_LOG, type LogTables, type NewestLog } from '@laurel/event-store';
import { partitionOf } from '@laurel/event-stream';
import type { AppliedPositions, PartitionProgress } from '../answers/index.ts';

export interface AppliedLogDependencies {
  /** The progress of the user services. */
  readonly applied: AppliedPositions;
  readonly log: Pick<NewestLog, 'before' | 'count'>;
  /** The schema with the log. */
  readonly sql: SqlReader;
  readonly tables: LogTables;
  readonly partitions: number;
}

interface UserRow {
  readonly position: string;
  readonly account: string;
  readonly subject: string;
}

/** Most records of one read. */
const READ = 1_000;
/** A partition that is further behind the fastest no longer delays the others. */
const MOST_HELD_BACK = 10_000;

/** Excludes records behind the erasure of their user, which EventStoreDB may contain and which are never published. */
const NOT_LATE = `
not exists (select from erasures e where e.account = r.account and e.subject = r.subject and e.position < r.position)`;

/** $1: the position after which to look. */
const usersBehind = (tables: LogTables): string => `
select r.position, r.account, r.subject from ${tables.events} r
where r.position > $1 and r.subject is not null ${tables === COPIED_LOG ? `and ${NOT_LATE}` : ''}
order by r.position limit ${READ}`;

/**
 * Knows the position up to which the services have applied every record of a user: just before the first record that a service of its partition
 * has not applied. A partition with a halted service does not delay the others, nor does one that is more than 10,000 records behind the
 * fastest.
 */
export class AppliedLog {
  readonly #dependencies: AppliedLogDependencies;
  #position = 0;
  #looking: Promise<number> | null = null;

  constructor(dependencies: AppliedLogDependencies) {
    this.#dependencies = dependencies;
  }

  /** Never decreases. Calls during a read share its result. @throws StoreUnavailableError */
  position(): Promise<number> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #look(): Promise<number> {
    const { applied, log, sql, tables, partitions } = this.#dependencies;
    const progress = await Promise.all(Array.from({ length: partitions }, (_, partition) => applied.read(partition)));
    const newest = Math.max(...progress.map(({ positions }) => Math.min(...positions)));
    // A range has at most as many records as positions, and in EventStoreDB far fewer.
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
