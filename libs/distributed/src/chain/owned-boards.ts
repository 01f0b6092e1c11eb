import { BoardsProjection } from '@laurel/engine';
import type { Configuration, SqlReader } from '@laurel/contracts';
import { partitionOf } from '@laurel/event-stream';
import { LeaderboardsArea } from '@laurel/leaderboards';

/** Of the standings of a partition in memory: about 700,000. */
const CAPACITY_BYTES = 48 * 1024 * 1024;

/** The leaderboards of the partitions that this instance owns. Each partition has an area of its own, so that it can be forgotten alone. */
export class OwnedBoards {
  readonly #sql: SqlReader;
  readonly #partitions: number;
  readonly #open = new Map<number, LeaderboardsArea>();
  readonly #narrowed = new Map<number, WeakMap<Configuration, Configuration>>();
  #owned: ReadonlySet<number> = new Set();

  constructor(sql: SqlReader, partitions: number) {
    this.#sql = sql;
    this.#partitions = partitions;
  }

  /** The projection of a partition, on standings read anew. */
  openProjection(partition: number): BoardsProjection {
    return new BoardsProjection(this.#reopen(partition), partition, (configuration) =>
      this.#narrow(partition, configuration),
    );
  }

  /** Those owned from now on; what is in memory of others is forgotten. */
  own(partitions: readonly number[]): void {
    this.#owned = new Set(partitions);
    for (const partition of [...this.#open.keys()]) if (!this.#owned.has(partition)) this.#open.delete(partition);
  }

  /** What is stored was replaced. */
  forget(partition: number): void {
    this.#open.delete(partition);
  }

  /** null: this instance does not own it. */
  find(partition: number): { readonly area: LeaderboardsArea } | null {
    return this.#owned.has(partition) ? { area: this.#open.get(partition) ?? this.#reopen(partition) } : null;
  }

  #reopen(partition: number): LeaderboardsArea {
    const area = new LeaderboardsArea(this.#sql, { capacityBytes: CAPACITY_BYTES });
    this.#open.set(partition, area);
    return area;
  }

  #narrow(partition: number, configuration: Configuration): Configuration {
    const known = this.#narrowed.get(partition) ?? new WeakMap<Configuration, Configuration>();
    this.#narrowed.set(partition, known);
    const narrowed = known.get(configuration) ?? narrowedTo(partition, this.#partitions, configuration);
    known.set(configuration, narrowed);
    return narrowed;
  }
}

/** The configuration with only the boards of a partition. */
export function narrowedTo(partition: number, partitions: number, configuration: Configuration): Configuration {
  const leaderboards = configuration.leaderboards.filter(
    ({ key }) => partitionOf(configuration.account, key, partitions) === partition,
  );
  return { ...configuration, leaderboards, leaderboardByKey: new Map(leaderboards.map((board) => [board.key, board])) };
}
