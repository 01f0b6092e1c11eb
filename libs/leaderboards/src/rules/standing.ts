import { ZERO, type Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { compareCodePoints } from './code-points.ts';

/**
 * An amount as it is compared: a number while it is a safe integer of millionths, a bigint beyond. JavaScript compares the
 * two exactly, and an amount has one form only, so `===` is exact as well. A million bigints would cost twice the memory
 * and compare five times slower.
 */
export type Score = number | bigint;

/** A user's place in a run. Immutable. */
export interface Standing {
  readonly userId: string;
  readonly score: Score;
  /** The instant of the contribution by which the present value was last reached. */
  readonly reachedAt: Instant;
  /** The order of recording of that contribution: the record's position, and its place within the record. */
  readonly position: number;
  readonly ordinal: number;
}

/** What a contribution does to a value: metric and points boards add, streak boards set. */
export type Change =
  { readonly type: 'add'; readonly amount: Amount } | { readonly type: 'set'; readonly value: Amount };

/** When and where in the log a change happened. */
export interface Occasion {
  readonly at: Instant;
  readonly position: number;
  readonly ordinal: number;
}

export function scoreOf(amount: Amount): Score {
  const score = Number(amount);
  return Number.isSafeInteger(score) ? score : amount;
}

export function valueOf(standing: Standing | undefined): Amount {
  return standing === undefined ? ZERO : BigInt(standing.score);
}

/** A value of 0 or less is kept, but is not on the board (specification, section 7). */
export function isOnBoard(standing: Standing | undefined): standing is Standing {
  return standing !== undefined && standing.score > 0;
}

/**
 * The standing after a change; null for a change of 0, which reaches nothing.
 * @throws RangeError for an instant that is none: it has no place in the order, and would spoil that of the others.
 */
export function standingAfter(
  before: Standing | undefined,
  userId: string,
  change: Change,
  { at, position, ordinal }: Occasion,
): Standing | null {
  if (!Number.isSafeInteger(at)) throw new RangeError(`not an instant: ${at}`);
  const present = valueOf(before);
  const value = change.type === 'add' ? present + change.amount : change.value;
  return value === present ? null : { userId, score: scoreOf(value), reachedAt: at, position, ordinal };
}

/**
 * The order of a board: value descending, then the instant at which it was last reached, then order of recording. Users
 * settled by one sweep share a position: there the id decides, as `collate "C"` orders it, so that every topology, the
 * database and a rebuild agree. Negative if `a` is ahead; 0 only for the same user.
 */
export function compareStandings(a: Standing, b: Standing): number {
  if (a.score !== b.score) return a.score > b.score ? -1 : 1;
  if (a.reachedAt !== b.reachedAt) return a.reachedAt - b.reachedAt;
  if (a.position !== b.position) return a.position - b.position;
  if (a.ordinal !== b.ordinal) return a.ordinal - b.ordinal;
  return compareCodePoints(a.userId, b.userId);
}
