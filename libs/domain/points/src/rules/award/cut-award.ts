import { smaller, type Exact } from '@laurel/amounts';
import type { AwardCut } from '@laurel/kernel';
import type { Room } from './caps.ts';
import { cutToRoom } from './room.ts';

/** What is left of an award, and the last cut that took something from it. */
export interface CutAward {
  readonly points: Exact;
  readonly cutBy: AwardCut | null;
}

export interface AwardBounds {
  readonly total: Exact;
  readonly maxPoints: Exact | null;
  /** What the caps of its trigger and its system leave for it. */
  readonly rooms: readonly Room[];
}

/** Cuts an award step by step. Each step takes what the one before it left. */
export function cutAward(nominal: Exact, { total, maxPoints, rooms }: AwardBounds): CutAward {
  let award = uncut(nominal);
  for (const { left, cutBy } of rooms) award = cutTo(award, cutBy, smaller(award.points, left));
  return cutTo(award, boundAhead(nominal), cutToRoom(award.points, total, maxPoints));
}

/** The bound of the total in the direction of `points`. */
const boundAhead = (points: Exact) => (points > 0 ? 'cap' : 'zero');

/** What cut a time award, which knows no other bounds than those of the total. */
export const timeAwardCut = (nominal: Exact, awarded: Exact): CutAward['cutBy'] =>
  cutTo(uncut(nominal), boundAhead(nominal), awarded).cutBy;

const uncut = (nominal: Exact): CutAward => ({ points: nominal, cutBy: null });

const cutTo = (award: CutAward, cutBy: CutAward['cutBy'], points: Exact): CutAward =>
  points === award.points ? award : { points, cutBy };
