import type { Instant } from '@laurel/calendar';
import type { PointsTrigger, TimeTrigger, TimeTriggerValidity } from '@laurel/kernel';

/** One points system in a version. */
export interface SystemVersion {
  readonly maxPoints: bigint | null;
  readonly timeTriggers: readonly TimeTrigger[];
  /** -Infinity for the first version, which holds from the beginning of the log (specification, section 9). */
  readonly inForceFrom: Instant;
}

/**
 * The validity periods of a points system after one more version. Periods in force end at its publication, and each of
 * its triggers begins a new one there, or at its `activeFrom`, and ends it at its `activeUntil`. If nothing changes,
 * including the order, both are joined into one period.
 */
export function extendPeriods(spans: readonly TimeTriggerValidity[], next: SystemVersion): TimeTriggerValidity[] {
  let order = -1;
  return next.timeTriggers
    .reduce(appendPeriod, closePeriods(spans, next.inForceFrom))
    .toSorted(byStart(next.timeTriggers));

  function appendPeriod(all: readonly TimeTriggerValidity[], trigger: TimeTrigger): readonly TimeTriggerValidity[] {
    const from = Math.max(next.inForceFrom, trigger.activeFrom ?? -Infinity);
    const until = trigger.activeUntil ?? Infinity;
    const before = all.find((span) => span.until === from && isSame(span, trigger, next.maxPoints));
    order = Math.max(order + 1, before?.order ?? 0);
    if (until <= from) return all;
    const span = { trigger, maxPoints: next.maxPoints, until, order };
    if (before === undefined || before.order !== order) return [...all, { ...span, from }];
    return [...all.filter((other) => other !== before), { ...span, from: before.from }];
  }
}

/** Ends a period in force; removes a period that has not begun. */
export function closePeriods(spans: readonly TimeTriggerValidity[], at: Instant): readonly TimeTriggerValidity[] {
  return spans
    .map((span) => (span.until > at ? { ...span, until: at } : span))
    .filter((span) => span.from < span.until);
}

function isSame(span: TimeTriggerValidity, trigger: TimeTrigger, maxPoints: bigint | null): boolean {
  const { id, points, unit, interval } = span.trigger;
  return (
    span.maxPoints === maxPoints &&
    id === trigger.id &&
    points === trigger.points &&
    unit === trigger.unit &&
    interval === trigger.interval
  );
}

/**
 * Sorts by start, then in the order of the newest version. Periods of triggers that it no longer has come last, in
 * their old order.
 */
function byStart(order: readonly TimeTrigger[]) {
  const places = new Map(order.map(({ id }, index) => [id, index]));
  const placeOf = (trigger: PointsTrigger) => places.get(trigger.id) ?? order.length;
  return (a: TimeTriggerValidity, b: TimeTriggerValidity): number => {
    // The difference of two infinities would be NaN.
    if (a.from !== b.from) return a.from < b.from ? -1 : 1;
    return placeOf(a.trigger) - placeOf(b.trigger);
  };
}
