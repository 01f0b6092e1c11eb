import type { PartitionHealth } from '../event-stream.ts';

/** One assignment: the partitions of this member between two rebalances, with their progress. */
export class Membership {
  readonly partitions: readonly number[];
  /** Resolves when the handler has accepted the assignment and the starting offsets are chosen. Never rejects. */
  prepared: Promise<void> = Promise.resolve();
  readonly #progress: ReadonlyMap<number, Progress>;

  constructor(partitions: readonly number[]) {
    this.partitions = [...partitions].sort((a, b) => a - b);
    this.#progress = new Map(this.partitions.map((partition) => [partition, { ...AT_THE_BEGINNING }]));
  }

  /** null if the partition is not owned. */
  of(partition: number): Progress | null {
    return this.#progress.get(partition) ?? null;
  }

  /** The positions that the handler has returned since the last call. */
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
  /** The next offset; null until it is known. */
  position: number | null;
  end: number | null;
  /** The starting offset until the partition has started; null for the group's position. */
  beginAt: number | null;
  failure: { readonly attempts: number; readonly error: unknown } | null;
  /** Whether the position is not committed to the group yet. */
  unrecorded: boolean;
}

const AT_THE_BEGINNING: Progress = {
  position: null,
  end: null,
  beginAt: null,
  failure: null,
  unrecorded: false,
};
