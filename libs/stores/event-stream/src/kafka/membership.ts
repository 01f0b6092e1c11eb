import type { PartitionHealth } from '../event-stream.ts';

/** One assignment: what this member owns between two rebalances, and how far each partition is. */
export class Membership {
  readonly partitions: readonly number[];
  /** Resolves when the handler knows of the assignment and the beginnings have been chosen. Never rejects. */
  prepared: Promise<void> = Promise.resolve();
  readonly #progress: ReadonlyMap<number, Progress>;

  constructor(partitions: readonly number[]) {
    this.partitions = [...partitions].sort((a, b) => a - b);
    this.#progress = new Map(this.partitions.map((partition) => [partition, { ...AT_THE_BEGINNING }]));
  }

  /** null: not owned. */
  of(partition: number): Progress | null {
    return this.#progress.get(partition) ?? null;
  }

  /** The positions that the handler has answered since the last call. */
  takeUnrecorded(): readonly { readonly partition: number; readonly offset: string }[] {
    const changed = [...this.#progress].filter(([, { unrecorded }]) => unrecorded);
    for (const [, progress] of changed) progress.unrecorded = false;
    return changed.map(([partition, { position }]) => ({ partition, offset: String(position) }));
  }

  hasUnknownPositions(): boolean {
    return [...this.#progress.values()].some(({ position }) => position === null);
  }

  learnPositions(positions: readonly number[]): void {
    for (const [partition, progress] of this.#progress) progress.position ??= positions[partition] ?? null;
  }

  learnEnds(ends: readonly number[]): void {
    for (const [partition, progress] of this.#progress) progress.end = ends[partition] ?? progress.end;
  }

  health(): readonly PartitionHealth[] {
    return [...this.#progress].map(([partition, { position, end, failure }]) => ({
      partition,
      lag: position === null || end === null ? null : Math.max(0, end - position),
      failure,
    }));
  }
}

export interface Progress {
  /** The offset to go on with; null until it is known. */
  position: number | null;
  end: number | null;
  /** Where it is to begin, until it has; null: where the group stands. */
  beginAt: number | null;
  failure: { readonly attempts: number; readonly error: unknown } | null;
  /** The position has not been committed to the group. */
  unrecorded: boolean;
}

const AT_THE_BEGINNING: Progress = {
  position: null,
  end: null,
  beginAt: null,
  failure: null,
  unrecorded: false,
};
