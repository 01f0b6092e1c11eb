import { add, smaller, subtract, type Exact } from '@laurel/amounts';
import { periodStart, type Day, type Instant, type PeriodRule } from '@laurel/calendar';
import type { AwardCut } from '@laurel/kernel';
import { presentAfter, type CapId, type Present } from './present.ts';

/** A cap of a trigger or of its points system, in one version. */
export interface Cap {
  readonly id: CapId;
  readonly period: PeriodRule;
  readonly points: Exact;
  readonly cutBy: Extract<AwardCut, 'trigger_cap' | 'system_cap'>;
}

/** The room that a cap leaves for an award. */
export interface Room {
  readonly left: Exact;
  readonly cutBy: Cap['cutBy'];
}

/** An award that caps may cut. */
export interface CappedAward {
  /** The caps that count it: its trigger's, then those of its system. */
  readonly caps: readonly Cap[];
  /** The present once the award is given. */
  readonly present: Present;
}

/**
 * Which caps count an award at an instant, on that day of the user's clock. A late award is free of every cap whose
 * current period begins after it.
 */
export function cappedAward(
  caps: readonly Cap[],
  { at, day }: { readonly at: Instant; readonly day: Day },
  present: Present | null,
): CappedAward {
  const weekStart = caps[0]?.period.weekStart ?? 'monday';
  const isOver = ({ period }: Cap) =>
    present !== null && at < present.at && periodStart(day, period) < periodStart(present.day, period);
  return { caps: caps.filter((cap) => !isOver(cap)), present: presentAfter(present, at, day, weekStart) };
}

/** What is left of each cap, in order; never negative, also if the cap was lowered. */
export const roomsFor = ({ caps, present: { used } }: CappedAward): readonly Room[] =>
  caps.map(({ id, points, cutBy }) => ({ left: subtract(points, smaller(points, used.get(id) ?? 0)), cutBy }));

/** The present after the award was given. */
export function presentUsing({ caps, present: { at, day, used } }: CappedAward, awarded: Exact): Present {
  const counted = new Map(used);
  for (const { id } of caps) counted.set(id, add(counted.get(id) ?? 0, awarded));
  return { at, day, used: counted };
}
