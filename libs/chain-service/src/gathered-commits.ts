import { StoreUnavailableError } from '@laurel/contracts';
import type { PartitionCommit } from './partition-store.ts';

/** Moves partitions at once. Answers which have moved; after an error it has moved none, or it is not known whether it has. */
export type MovePartitions = (commits: readonly PartitionCommit[]) => Promise<ReadonlySet<number>>;

/** Rows of one statement: so many it takes a fraction of the time that a statement has. */
const MOST_ROWS = 20_000;

interface Waiting {
  readonly commit: PartitionCommit;
  readonly resolve: (hasMoved: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits that are given in the same turn of the event loop go as one statement: partitions whose messages came together and were
 * sent on together. A statement costs more than what one or two messages write.
 */
export class GatheredCommits {
  readonly #move: MovePartitions;
  #waiting: Waiting[] = [];

  constructor(move: MovePartitions) {
    this.#move = move;
  }

  /** Answers whether the partition has moved. */
  add(commit: PartitionCommit): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#takeAll());
    });
  }

  #takeAll(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const statement of statementsOf(all)) void this.#run(statement);
  }

  /** What the database refuses of one partition is not the trouble of the others: each by itself then. */
  async #run(together: readonly Waiting[]): Promise<void> {
    try {
      const moved = await this.#move(together.map(({ commit }) => commit));
      for (const { commit, resolve } of together) resolve(moved.has(commit.partition));
    } catch (error) {
      if (together.length > 1 && !(error instanceof StoreUnavailableError))
        for (const one of together) await this.#run([one]);
      else for (const { reject } of together) reject(error);
    }
  }
}

/** In the order given. A partition is in a statement once. */
function* statementsOf(all: readonly Waiting[]): Generator<readonly Waiting[]> {
  let together: Waiting[] = [];
  let rows = 0;
  for (const one of all) {
    const weight = weightOf(one.commit);
    const isNamed = together.some(({ commit }) => commit.partition === one.commit.partition);
    if (together.length > 0 && (isNamed || rows + weight > MOST_ROWS)) {
      yield together;
      together = [];
      rows = 0;
    }
    together.push(one);
    rows += weight;
  }
  if (together.length > 0) yield together;
}

const weightOf = ({ states, rows }: PartitionCommit): number =>
  [...rows.values()].reduce((sum, { length }) => sum + length, states.length);
