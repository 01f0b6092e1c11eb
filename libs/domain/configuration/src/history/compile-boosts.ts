import type { Instant } from '@laurel/calendar';
import type { BoostDefinition, PointsSystemDefinition } from '@laurel/kernel';
import { hundredthsOf, type PointsSystemDocument } from '@laurel/schemas';
import { instantIn } from '../document/trigger-content.ts';
import { compileConditions } from './compile-conditions.ts';
import type { VersionContext } from './compile-points.ts';
import { idOf } from './ids.ts';

/** The boosts of a points system in a version. */
export type SystemBoosts = Pick<PointsSystemDefinition, 'boosts' | 'removedBoosts'>;

export const NO_BOOSTS: SystemBoosts = { boosts: [], removedBoosts: [] };

export function compileBoosts(
  { key: system, boosts: documents }: PointsSystemDocument,
  { account, references, publishedAt: at, boostsBefore }: VersionContext,
): SystemBoosts {
  const boosts = documents.map(({ key, name, multiplier, rounding, start, end, where }): BoostDefinition => ({
    id: idOf(account, 'boost', system, key),
    key,
    name,
    multiplier: hundredthsOf(multiplier),
    rounding,
    start: instantIn(start) ?? 0,
    end: instantIn(end),
    where: compileConditions(where, references.hashes),
  }));
  const present = new Set(boosts.map(({ key }) => key));
  const gone = closeBoosts(boostsBefore(system), at).removedBoosts.filter(({ key }) => !present.has(key));
  return { boosts, removedBoosts: gone };
}

/** Removes all boosts, as for a points system that the version no longer has. A boost that has not begun leaves nothing. */
export const closeBoosts = ({ boosts, removedBoosts }: SystemBoosts, at: Instant): SystemBoosts => ({
  boosts: [],
  removedBoosts: [
    ...removedBoosts,
    ...boosts
      .filter(({ start }) => start < at)
      .map((boost) => ({ ...boost, end: boost.end === null ? at : Math.min(boost.end, at) })),
  ],
});
