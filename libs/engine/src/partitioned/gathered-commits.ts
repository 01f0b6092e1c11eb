import { StoreUnavailableError } from '@laurel/kernel';
import type { PartitionCommit } from './partition-store.ts';

/** Moves partitions at once. Answers which have moved; after an error it has moved none, or it is not known whether it has. */
export type MovePartitions = (commits: readonly PartitionCommit[]) => Promise<ReadonlySet<number>>;

/** Rows of one statement: so many it takes a fraction of the time that a statement has. */
const MOST_ROWS = 20_000;
/** Statements: of the connections of a process some stay for what is read meanwhile. */
const MOST_UNDER_WAY = 3;

interface Waiting {
  readonly commit: PartitionCommit;
  readonly resolve: (hasMoved: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits that are given in the same turn of the event loop, or while enough statements are under way, go as one: partitions
 * whose messages came together and were sent on together. A statement costs more than what one or two messages write.
 */
export class GatheredCommits {
  readonly #move: MovePartitions;
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(move: MovePartitions) {
    this.#move = move;
  }

  /** Answers whether the partition has moved. */
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

  /** Never rejects. Answers why the database cannot be reached, if that is so. */
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

  /** What the database refuses of one partition is not the trouble of the others. */
  async #runEach(all: readonly Waiting[]): Promise<StoreUnavailableError | null> {
    let gone: StoreUnavailableError | null = null;
    for (const one of all)
      if (gone === null) gone = await this.#run([one]);
      else one.reject(gone);
    return gone;
  }
}

/** How many from the front make one statement: up to so many rows, and a partition once. */
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
