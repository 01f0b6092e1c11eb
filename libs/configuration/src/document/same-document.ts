import { isDeepStrictEqual } from 'node:util';
import { configurationDocument } from '@laurel/contracts';
import type { PointsSystemDocument, PointsTriggerDocument, StreakDocument } from '@laurel/contracts';
import { activeFrom } from '../history/trigger-content.ts';

/**
 * Whether two documents say the same: order of fields, spelled-out defaults and ways of writing an instant make no difference,
 * nor does the order of lists that have none (streak conditions, levels). @throws Error if either is no document.
 */
export function sameDocument(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(canonical(a), canonical(b));
}

/** As the log gives it back: without what is undefined, and -0 is 0. */
function canonical(value: unknown): unknown {
  const { streak, points, ...rest } = configurationDocument.parse(value);
  const ordered = { ...rest, streak: streak && canonicalStreak(streak), points: points.map(canonicalPoints) };
  return JSON.parse(JSON.stringify(ordered));
}

function canonicalStreak(streak: StreakDocument) {
  return { ...streak, conditions: streak.conditions.toSorted((a, b) => (a.metric < b.metric ? -1 : 1)) };
}

function canonicalPoints(system: PointsSystemDocument) {
  const levels = system.levels.toSorted((a, b) => a.points - b.points);
  return { ...system, triggers: system.triggers.map(canonicalTrigger), levels };
}

function canonicalTrigger(trigger: PointsTriggerDocument) {
  return trigger.type === 'time' ? { ...trigger, activeFrom: activeFrom(trigger) } : trigger;
}
