import { exactOf, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { everyMs, type PointsSystemDefinition } from '@laurel/kernel';

/** Instants after `after` and up to `upTo`, inclusive. */
export interface Window {
  readonly after: Instant;
  readonly upTo: Instant;
}

/** A time trigger during one of its validity periods. */
export interface TriggerPeriod {
  /** The system's index in the plan. */
  readonly system: number;
  readonly triggerId: string;
  readonly everyMs: number;
  readonly points: Exact;
  /** The cap during the validity period; null for none. */
  readonly maxPoints: Exact | null;
  /** A due instant d belongs to the period if `from` ≤ d < `until`. */
  readonly from: Instant;
  readonly until: Instant;
  /** Orders ticks of the same instant: the lower number is given first. */
  readonly order: number;
}

/**
 * The validity periods, in the configuration order of the version in force at each instant (specification, section 6).
 */
export function spansOf(
  { triggers, validityPeriods }: PointsSystemDefinition,
  system: number,
): readonly TriggerPeriod[] {
  const places = new Map(triggers.map(({ id }, place) => [id, place]));
  for (const { trigger } of validityPeriods) if (!places.has(trigger.id)) places.set(trigger.id, places.size);
  return validityPeriods
    .map(({ trigger, maxPoints, from, until, order }) => ({
      system,
      triggerId: trigger.id,
      everyMs: everyMs(trigger),
      points: exactOf(trigger.points),
      maxPoints: maxPoints === null ? null : exactOf(maxPoints),
      from,
      until,
      order: order ?? places.get(trigger.id) ?? 0,
    }))
    .sort((a, b) => a.order - b.order);
}

/** The period's first due instant in the window: creation + k × interval, k ≥ 1 (specification, section 6). */
export function firstTick(span: TriggerPeriod, createdAt: Instant, window: Window): Instant | null {
  const after = Math.max(window.after, span.from - 1, createdAt);
  const tick = createdAt + (ticksUntil(span, createdAt, after) + 1) * span.everyMs;
  return tick <= window.upTo && tick < span.until ? tick : null;
}

/** Number of due instants of the period in the window. */
export function countTicks(span: TriggerPeriod, createdAt: Instant, window: Window): number {
  const after = Math.max(window.after, span.from - 1, createdAt);
  const upTo = Math.min(window.upTo, span.until - 1);
  return upTo <= after ? 0 : ticksUntil(span, createdAt, upTo) - ticksUntil(span, createdAt, after);
}

const ticksUntil = ({ everyMs }: TriggerPeriod, createdAt: Instant, instant: Instant): number =>
  Math.floor((instant - createdAt) / everyMs);
