import { randomBytes } from 'node:crypto';
import type { Origin } from './protocol.ts';

/** How far a service is in one partition of its input. Stored in the same statement as everything that was made of it. */
export interface PartitionCheckpoint {
  /** Behind the last message that was looked at. Nothing before it is unseen, unless the topic was made anew since. */
  readonly nextOffset: number;
  /** In the log, of the last record that was applied; 0: none yet. */
  readonly position: number;
  /** Changes when a rebuild takes the place of what was there. */
  readonly generation: number;
  /** Drawn anew by every commit: two checkpoints with the same one are the same. '': of none yet, or of a release before it was drawn. */
  readonly revision: string;
  /** The last sequence that was seen of each source partition. */
  readonly received: ReadonlyMap<number, number>;
  /** The last sequence that was given out for each target partition. */
  readonly sent: ReadonlyMap<number, number>;
  readonly failure: PartitionFailure | null;
}

/** Why a partition stands still. */
export interface PartitionFailure {
  /** Of the message that could not be applied. */
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

/** Eight bytes: enough for no two commits of a partition to have the same. */
export const newRevision = (): string => randomBytes(8).toString('base64url');

/** What `after` says otherwise than `before`; sequences only grow, so nothing is ever missing in `after`. */
export function changedSequences(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  return new Map([...after].filter(([partition, sequence]) => before.get(partition) !== sequence));
}

/** `seen`: drop it. `missing`: something before it has not come. */
export function placeOf(
  { source, sequence }: Origin,
  received: ReadonlyMap<number, number>,
): 'next' | 'seen' | 'missing' {
  const last = received.get(source) ?? 0;
  if (sequence <= last) return 'seen';
  return sequence === last + 1 ? 'next' : 'missing';
}
