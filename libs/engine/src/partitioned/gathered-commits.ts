import { StoreUnavailableError } from '@laurel/kernel';
import type { PartitionCommit } from './partition-store.ts';

/**
 * Moves several partitions at once. Returns the partitions that have moved. After an error, either none has moved or
 * the outcome is unknown.
 */
export type MovePartitions = (commits: readonly PartitionCommit[]) => Promise<ReadonlySet<number>>;

/** Rows of one statement. This many rows take a fraction of the statement timeout. */
const MOST_ROWS = 20_000;
/** Concurrent statements. Leaves connections of the process for reads. */
const MOST_UNDER_WAY = 3;

interface Waiting {
  readonly commit: PartitionCommit;
  readonly resolve: (hasMoved: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines commits into one statement if they arrive in the same turn of the event loop, or while enough statements are
 * running. A statement costs more than writing the rows of one or two messages.
 */
export class GatheredCommits {
  readonly #move: MovePartitions;
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(move: MovePartitions) {
    this.#move = move;
  }

  /** Resolves with whether the partition has moved. */
  add(commit: PartitionCommit): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#begin());
    });
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#underWay < MOST_UNDER_WAY) {
      const together = this.#waiting.splice(0, statementLength(this.#waiting));
      this.#underWay++;
      void this.#run(together).then(() => {
        this.#underWay--;
        this.#begin();
      });
    }
  }

  /** Never rejects. Resolves with the error if the database cannot be reached, otherwise with null. */
  async #run(together: readonly Waiting[]): Promise<StoreUnavailableError | null> {
    try {
      const moved = await this.#move(together.map(({ commit }) => commit));
      for (const { commit, resolve } of together) resolve(moved.has(commit.partition));
      return null;
    } catch (error) {
      const gone = error instanceof StoreUnavailableError ? error : null;
      if (together.length > 1 && gone === null) return this.#runEach(together);
      for (const { reject } of together) reject(error);
      return gone;
    }
  }

  /** Commits each partition separately, so that data that the database refuses in one does not fail the others. */
  async #runEach(all: readonly Waiting[]): Promise<StoreUnavailableError | null> {
    let gone: StoreUnavailableError | null = null;
    for (const one of all)
      if (gone === null) gone = await this.#run([one]);
      else one.reject(gone);
    return gone;
  }
}

/** Number of commits, from the front, for one statement: limited by rows, and with each partition only once. */
function statementLength(waiting: readonly Waiting[]): number {
  const partitions = new Set<number>();
  let rows = 0;
  for (const [index, { commit }] of waiting.entries()) {
    rows += weightOf(commit);
    if (index > 0 && (rows > MOST_ROWS || partitions.has(commit.partition))) return index;
    partitions.add(commit.partition);
  }
  return waiting.length;
}

const weightOf = ({ changes }: PartitionCommit): number =>
  changes.flatMap(({ states, rows }) => [states, ...rows.values()]).reduce((sum, { length }) => sum + length, 0);
