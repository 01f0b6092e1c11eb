import { contributionsTo } from '@laurel/chain';
import { BoardsProjection } from '@laurel/engine';
import type { SqlReader } from '@laurel/kernel';
import { LeaderboardsArea } from '@laurel/leaderboards';

/** The cache of a partition: about 700,000 standings. */
const CAPACITY_BYTES = 48 * 1024 * 1024;

/** The leaderboards of the partitions that this instance owns. Each partition has a separate area, so that it can be dropped alone. */
export class OwnedBoards {
  readonly #sql: SqlReader;
  readonly #partitions: number;
  readonly #open = new Map<number, LeaderboardsArea>();
  #owned: ReadonlySet<number> = new Set();

  constructor(sql: SqlReader, partitions: number) {
    this.#sql = sql;
    this.#partitions = partitions;
  }

  /** The projection of a partition, which reads the standings again. */
  openProjection(partition: number): BoardsProjection {
    return new BoardsProjection(this.#reopen(partition), partition, (message, configuration) =>
      contributionsTo(partition, this.#partitions, message, configuration),
    );
  }

  /** Sets the owned partitions, and drops the others from memory. */
  own(partitions: readonly number[]): void {
    this.#owned = new Set(partitions);
    for (const partition of [...this.#open.keys()]) if (!this.#owned.has(partition)) this.#open.delete(partition);
  }

  /** Drops a partition whose tables were replaced. */
  forget(partition: number): void {
    this.#open.delete(partition);
  }

  /** null if this instance does not own it. */
  find(partition: number): { readonly area: LeaderboardsArea } | null {
    return this.#owned.has(partition) ? { area: this.#open.get(partition) ?? this.#reopen(partition) } : null;
  }

  #reopen(partition: number): LeaderboardsArea {
    const area = new LeaderboardsArea(this.#sql, { capacityBytes: CAPACITY_BYTES });
    this.#open.set(partition, area);
    return area;
  }
}
