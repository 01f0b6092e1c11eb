import { randomBytes } from 'node:crypto';
import type { Origin } from './protocol.ts';

/** How far a service has come in one partition of its input. Stored in the same statement as the results. */
export interface PartitionCheckpoint {
  /**
   * The offset after the last message read. All messages before it are processed, unless the topic was created again
   * since.
   */
  readonly nextOffset: number;
  /** Log position of the last applied record; 0 before the first. */
  readonly position: number;
  /** Changes when a rebuild replaces the stored states. */
  readonly generation: number;
  /**
   * Random, new with every commit: equal revisions mean the same checkpoint. Empty before the first commit, and in
   * checkpoints of releases without revisions.
   */
  readonly revision: string;
  /** The last sequence received from each source partition. */
  readonly received: ReadonlyMap<number, number>;
  /** The last sequence assigned for each target partition. */
  readonly sent: ReadonlyMap<number, number>;
  readonly failure: PartitionFailure | null;
}

/** Why a partition is stopped. */
export interface PartitionFailure {
  /** Offset of the message that could not be applied. */
  readonly offset: number;
  readonly reason: string;
}

export const START: PartitionCheckpoint = {
  nextOffset: 0,
  position: 0,
  generation: 0,
  revision: '',
  received: new Map(),
  sent: new Map(),
  failure: null,
};

/** Eight random bytes: enough to make the revisions of a partition unique. */
export const newRevision = (): string => randomBytes(8).toString('base64url');

/** Entries of `after` that differ from `before`. Sequences only grow, so `after` has every entry of `before`. */
export function changedSequences(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  return new Map([...after].filter(([partition, sequence]) => before.get(partition) !== sequence));
}

/** `seen`: drop the message. `missing`: an earlier message has not arrived. */
export function placeOf(
  { source, sequence }: Origin,
  received: ReadonlyMap<number, number>,
): 'next' | 'seen' | 'missing' {
  const last = received.get(source) ?? 0;
  if (sequence <= last) return 'seen';
  return sequence === last + 1 ? 'next' : 'missing';
}
