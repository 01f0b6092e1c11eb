import type { Contribution } from './contributions.ts';
import { rankOf, type RunStandings } from './run-standings.ts';
import { standingAfter, valueOf, type Standing } from './standing.ts';

/** One of a user's own changes of value, with the ranks directly before and after it. */
export interface ValueChange<C extends Contribution = Contribution> {
  /** What caused it; of several by one record the last. */
  readonly contribution: C;
  readonly before: Standing | undefined;
  readonly after: Standing;
  readonly previousRank: number | null;
  readonly rank: number | null;
}

/**
 * Applies the contributions of one record to the standings of its user, in their order. Gives a change for each that was
 * due before the record, and for what the record itself did to a run as a whole, one with its net effect (which may be
 * none); those that were due first.
 */
export function applyContributions<C extends Contribution & { readonly standings: RunStandings }>(
  contributions: readonly C[],
  userId: string,
  position: number,
): { readonly due: readonly ValueChange<C>[]; readonly own: readonly ValueChange<C>[] } {
  const due: ValueChange<C>[] = [];
  const own = new Map<RunStandings, ValueChange<C>>();
  for (const contribution of contributions) {
    const change = applyContribution(contribution, userId, position);
    if (change === null) continue;
    if (contribution.due) due.push(change);
    else own.set(contribution.standings, joined(own.get(contribution.standings), change));
  }
  return { due, own: [...own.values()] };
}

export function changesValue({ before, after }: ValueChange): boolean {
  return valueOf(before) !== valueOf(after);
}

function applyContribution<C extends Contribution & { readonly standings: RunStandings }>(
  contribution: C,
  userId: string,
  position: number,
): ValueChange<C> | null {
  const { standings, change, at, ordinal, board } = contribution;
  const before = standings.get(userId);
  const after = standingAfter(before, userId, change, { at, position, ordinal });
  if (after === null) return null;
  const { aheadBefore, aheadAfter } = standings.put(userId, after);
  const previousRank = rankOf(aheadBefore, board.maxParticipants);
  return { contribution, before, after, previousRank, rank: rankOf(aheadAfter, board.maxParticipants) };
}

function joined<C extends Contribution>(earlier: ValueChange<C> | undefined, later: ValueChange<C>): ValueChange<C> {
  return earlier === undefined ? later : { ...later, before: earlier.before, previousRank: earlier.previousRank };
}
