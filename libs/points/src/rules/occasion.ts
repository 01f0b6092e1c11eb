import { type Amount, timesReached, ZERO } from '@laurel/amounts';
import type { PointsSystemDefinition, PointsTrigger } from '@laurel/contracts';
import type { MetricSum } from './points-state.ts';

/** What a record gives the triggers to fire on. */
export interface Occasion {
  readonly userCreated: boolean;
  /** The metric's key and the event's value; null if the record is no metric event. */
  readonly metric: { readonly key: string; readonly value: Amount } | null;
  /** The length that the record extended the streak to; null if it did not. */
  readonly streakExtendedTo: number | null;
  /** Keys of the achievements that it completed. */
  readonly completed: ReadonlySet<string>;
}

export type Sums = ReadonlyMap<string, MetricSum>;

const NOTHING: MetricSum = { sum: ZERO, high: ZERO };

/**
 * The system's sums with the record's value added. A trigger sums from its own publication on, so one that these sums do
 * not hold yet begins at 0 (specification, section 6).
 */
export function grownSums(sums: Sums, definition: PointsSystemDefinition, { metric }: Occasion): Sums {
  if (metric === null) return sums;
  const grown = definition.triggers
    .filter((trigger) => trigger.type === 'metric' && trigger.metric.key === metric.key)
    .map(({ id }) => [id, grow(sums.get(id) ?? NOTHING, metric.value)] as const);
  return grown.length === 0 ? sums : new Map([...sums, ...grown]);
}

function grow({ sum, high }: MetricSum, value: Amount): MetricSum {
  const next = sum + value;
  return { sum: next, high: next > high ? next : high };
}

/** How often the trigger fires on the occasion (specification, section 6). Time triggers fire on none. */
export function timesFired(trigger: PointsTrigger, occasion: Occasion, before: Sums, after: Sums): bigint {
  switch (trigger.type) {
    case 'user_creation':
      return times(occasion.userCreated);
    case 'metric':
      return multiples(trigger, after) - multiples(trigger, before);
    case 'streak':
      return times(occasion.streakExtendedTo !== null && occasion.streakExtendedTo % trigger.length === 0);
    case 'achievement':
      return times(occasion.completed.has(trigger.achievement.key));
    case 'time':
      return 0n;
  }
}

function times(fired: boolean): bigint {
  return fired ? 1n : 0n;
}

function multiples(trigger: { readonly id: string; readonly threshold: Amount }, sums: Sums): bigint {
  return timesReached((sums.get(trigger.id) ?? NOTHING).high, trigger.threshold);
}
