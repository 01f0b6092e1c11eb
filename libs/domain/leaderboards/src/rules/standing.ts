import type { Subject } from '@laurel/kernel';
import { ZERO, type Amount, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';

/** A user's place in a run. Immutable. */
export interface Standing {
  readonly subject: Subject;
  /** In millionths. */
  readonly score: Exact;
  /** The instant of the contribution that last led to the present value. */
  readonly reachedAt: Instant;
  /** The order in which that contribution was recorded: the record's position, and its index in the record. */
  readonly position: number;
  readonly ordinal: number;
}

export function valueOf(standing: Standing | undefined): Amount {
  return standing === undefined ? ZERO : BigInt(standing.score);
}

/** A value of 0 or less is kept, but is not on the board (specification, section 7). */
export function isOnBoard(standing: Standing | undefined): standing is Standing {
  return standing !== undefined && standing.score > 0;
}

/**
 * The order of a board: value descending, then the instant at which it was last reached, then order of recording. Users
 * settled by one sweep share a position, but never an ordinal. Negative if `a` is ahead; 0 only for the same standing.
 */
export function compareStandings(a: Standing, b: Standing): number {
  if (a.score !== b.score) return a.score > b.score ? -1 : 1;
  if (a.reachedAt !== b.reachedAt) return a.reachedAt - b.reachedAt;
  if (a.position !== b.position) return a.position - b.position;
  if (a.ordinal !== b.ordinal) return a.ordinal - b.ordinal;
  return a.subject - b.subject;
}

export const isSame = (standing: Standing, other: Standing | undefined): boolean =>
  other !== undefined && compareStandings(standing, other) === 0;
