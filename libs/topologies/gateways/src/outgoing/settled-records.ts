import type { RecordedEvent, SqlReader } from '@laurel/kernel';
import { serviceOf } from '@laurel/ports';
import { partitionOf } from '@laurel/event-stream';
import { readIfPresent } from '@laurel/processes';
import type { AppliedPositions, PartitionProgress } from '../answers/index.ts';

export interface SettledDependencies {
  /** The progress of the user services. */
  readonly applied: AppliedPositions;
  /** Any schema of the database. */
  readonly sql: SqlReader;
  readonly partitions: number;
  /** The positions of records that are never published; absent if there are none. */
  readonly withheld?: (records: readonly RecordedEvent[]) => Promise<ReadonlySet<number>>;
}

const RECEIVED = `select partition, received from ${serviceOf('leaderboards').schema}.input_partitions`;

/** By partition of the boards: the last message number from each partition of users. */
type Received = ReadonlyMap<number, Readonly<Record<string, number>>>;

/**
 * Knows which records every area has applied. For a partition of users it remembers a position together with the messages sent to the boards by
 * then, until the boards have received them, because under load the boards are always a little behind.
 */
export class SettledRecords {
  readonly #dependencies: SettledDependencies;
  /** By partition of users: the position up to which every area has applied its records. */
  readonly #settled = new Map<number, number>();
  readonly #awaited = new Map<number, PartitionProgress>();

  constructor(dependencies: SettledDependencies) {
    this.#dependencies = dependencies;
  }

  /** The leading records that every area has applied. @throws StoreUnavailableError */
  async first(records: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const withheld = await this.#dependencies.withheld?.(records);
    const placed = records.map((record) => ({
      record,
      partitions: withheld?.has(record.position) ? [] : this.#partitionsOf(record),
    }));
    const unsettled = placed.flatMap(({ record, partitions }) =>
      partitions.filter((partition) => !this.#isSettled(record, partition)),
    );
    if (unsettled.length > 0) await this.#look([...new Set(unsettled)]);
    const missing = placed.findIndex(({ record, partitions }) =>
      partitions.some((partition) => !this.#isSettled(record, partition)),
    );
    return missing < 0 ? records : records.slice(0, missing);
  }

  #isSettled({ position }: RecordedEvent, partition: number): boolean {
    return position <= (this.#settled.get(partition) ?? 0);
  }

  #partitionsOf({ account, fact }: RecordedEvent): readonly number[] {
    const subjects = fact.type === 'UsersSwept' ? fact.subjects : 'subject' in fact ? [fact.subject] : [];
    return [...new Set(subjects.map((subject) => partitionOf(account, subject, this.#dependencies.partitions)))];
  }

  /** Reads the received numbers after the sent numbers. */
  async #look(partitions: readonly number[]): Promise<void> {
    const { applied, sql } = this.#dependencies;
    const present = await Promise.all(partitions.map((partition) => applied.read(partition)));
    const rows = await readIfPresent<{ partition: number; received: Readonly<Record<string, number>> }>(sql, RECEIVED);
    const received: Received = new Map(rows.map((row) => [row.partition, row.received]));
    for (const [index, partition] of partitions.entries()) {
      const now = present[index] as PartitionProgress;
      const awaited = this.#awaited.get(partition) ?? now;
      for (const progress of [awaited, now])
        if (hasArrived(progress, partition, received)) this.#settle(partition, Math.min(...progress.positions));
      if (hasArrived(awaited, partition, received)) this.#awaited.set(partition, now);
      else this.#awaited.set(partition, awaited);
    }
  }

  #settle(partition: number, position: number): void {
    this.#settled.set(partition, Math.max(position, this.#settled.get(partition) ?? 0));
  }
}

const hasArrived = ({ sentToBoards }: PartitionProgress, source: number, received: Received): boolean =>
  [...sentToBoards].every(([board, number]) => (received.get(board)?.[source] ?? 0) >= number);
