import type { LevelsBy, WrittenCap } from '@laurel/kernel';
import type { LevelDocument, PointsSystemDocument } from '@laurel/schemas';
import { added, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareLists, compareOrder, keysOf, ONLY_SHOWN } from './compare-lists.ts';
import { addedBoost, compareBoosts } from './compare-boosts.ts';
import { addedTrigger, compareTriggers } from './compare-triggers.ts';
import type { Past } from './past.ts';

type Systems = readonly PointsSystemDocument[];

export function comparePoints(before: Systems, after: Systems, past: Past): Change[] {
  const entries = compareLists(before, after, {
    identityOf: ({ key }) => key,
    onAdded: (system) => [
      added(`points.${system.key}`, system, whenAdded(system.key, past)),
      ...system.triggers.flatMap((trigger) => addedTrigger(system, trigger, past)),
      ...system.boosts.map((boost) => addedBoost(system, boost)),
    ],
    onRemoved: (system) => [removed(`points.${system.key}`, system, WHEN_REMOVED)],
    onKept: (was, is) => compareSystem(was, is, past),
  });
  return [...entries, ...compareOrder('points', keysOf(before), keysOf(after))];
}

const WHEN_REMOVED =
  'From publication, it gives nothing. Laurel keeps totals and awards but no longer shows them. If it comes back under this key, totals continue.';

function whenAdded(key: string, past: Past): string {
  const version = past.versionWith('points', key);
  return version === null
    ? 'Everyone begins at 0.'
    : `It was in version ${version}. Everyone's total continues from where it was then.`;
}

function compareSystem(before: PointsSystemDocument, after: PointsSystemDocument, past: Past): Change[] {
  return [
    ...changedFields<PointsSystemDocument, 'key' | 'caps' | 'triggers' | 'levels' | 'boosts'>(
      `points.${after.key}`,
      before,
      after,
      {
        name: ONLY_SHOWN,
        description: ONLY_SHOWN,
        badgeUrl: ONLY_SHOWN,
        maxPoints: maxPointsEffect,
        levelsBy: levelsByEffect,
      },
    ),
    ...compareCaps(before, after),
    ...compareTriggers(before, after, past),
    ...compareLevels(before, after),
    ...compareBoosts(before, after),
  ];
}

/** It cuts awards from its publication on (specification, section 6). */
function maxPointsEffect(was: number | null, is: number | null): string {
  const isLowered = is !== null && (was === null || is < was);
  return isLowered
    ? `Nobody loses points. Users who have more than ${is} keep them, but get no more until their total is below it.`
    : 'From publication, totals can grow further. Laurel does not make up for what the former cap cut off.';
}

function compareCaps(before: PointsSystemDocument, after: PointsSystemDocument): Change[] {
  const pathOf = ({ per }: WrittenCap) => `points.${after.key}.caps.${per}`;
  return compareLists<WrittenCap>(before.caps, after.caps, {
    identityOf: ({ per }) => per,
    onAdded: (cap) => [added(pathOf(cap), cap, `${roomOf(cap)} It counts what they give while it is in force.`)],
    onRemoved: (cap) => [removed(pathOf(cap), cap, CAP_REMOVED)],
    onKept: (was, is) =>
      changedFields<WrittenCap, 'per'>(pathOf(is), was, is, {
        points: `${roomOf(is)} What they have given in the present ${is.per} counts.`,
      }),
  });
}

const roomOf = ({ per, points }: WrittenCap): string =>
  `From publication, its triggers of types metric, streak and achievement give each user at most ${points} points in a ${per}.`;

const CAP_REMOVED = 'From publication, it no longer cuts awards. What it cut off is not made up for.';

function compareLevels(before: PointsSystemDocument, after: PointsSystemDocument): Change[] {
  const pathOf = ({ key }: LevelDocument) => `points.${after.key}.levels.${key}`;
  return compareLists(before.levels, after.levels, {
    identityOf: ({ key }) => key,
    onAdded: (level) => [added(pathOf(level), level, levelEffect(level.points, after))],
    onRemoved: (level) => [removed(pathOf(level), level, LEVEL_REMOVED)],
    onKept: (was, is) =>
      changedFields<LevelDocument, 'key'>(pathOf(is), was, is, {
        name: ONLY_SHOWN,
        description: ONLY_SHOWN,
        badgeUrl: ONLY_SHOWN,
        points: (_, points) => levelEffect(points, after),
      }),
  });
}

const UNANNOUNCED = "Reads show this at once; no event's answer announces it.";
const LEVEL_REMOVED = `Users at this level move to the next lower one, if there is one. ${UNANNOUNCED}`;

const levelEffect = (points: number, { levelsBy }: PointsSystemDocument): string =>
  levelsBy === 'earned'
    ? `Users reach it once they have earned ${points}. ${UNANNOUNCED}`
    : `Users reach it with a total of ${points}. ${UNANNOUNCED}`;

const levelsByEffect = (_: LevelsBy, levelsBy: LevelsBy): string =>
  levelsBy === 'earned'
    ? `Levels follow all the points that users have earned, also before the publication. Users from whom points were taken may move up. ${UNANNOUNCED}`
    : `Levels follow totals. Users from whom points were taken may fall back. ${UNANNOUNCED}`;
