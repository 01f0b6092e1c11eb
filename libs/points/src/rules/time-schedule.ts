import type { Instant } from '@laurel/calendar';
import type { PointsSystemDefinition, TimeTriggerSpan } from '@laurel/contracts';

/** Instants after `after` and up to `upTo`, inclusive. */
export interface Window {
  readonly after: Instant;
  readonly upTo: Instant;
}

/** The due instants of one user in one system. */
export interface TimeSchedule {
  readonly createdAt: Instant;
  readonly spans: readonly OrderedSpan[];
}

/** `order` decides between ticks of the same instant: the lower is given first. */
export type OrderedSpan = TimeTriggerSpan & { readonly order: number };

export function scheduleOf(definition: PointsSystemDefinition, createdAt: Instant): TimeSchedule {
  return { createdAt, spans: orderedSpans(definition) };
}

const ordered = new WeakMap<PointsSystemDefinition, readonly OrderedSpan[]>();

/** Configuration order (specification, section 6); triggers since removed come last, in the order of their spans. */
function orderedSpans(definition: PointsSystemDefinition): readonly OrderedSpan[] {
  const known = ordered.get(definition);
  if (known) return known;
  const places = new Map(definition.triggers.map((trigger, place) => [trigger.id, place]));
  for (const { trigger } of definition.timeSpans) if (!places.has(trigger.id)) places.set(trigger.id, places.size);
  const spans = definition.timeSpans
    .map((span) => ({ ...span, order: places.get(span.trigger.id) ?? 0 }))
    .sort((a, b) => a.order - b.order);
  ordered.set(definition, spans);
  return spans;
}

/** The part of the window in which the span is in force; empty if `after` ≥ `upTo`. */
export function windowWithin(schedule: TimeSchedule, span: TimeTriggerSpan, window: Window): Window {
  return {
    after: Math.max(window.after, span.from - 1, schedule.createdAt),
    upTo: Math.min(window.upTo, span.until - 1),
  };
}

/** The span's first due instant in the window: creation + k × interval, k ≥ 1 (specification, section 6). */
export function firstTick(schedule: TimeSchedule, span: TimeTriggerSpan, window: Window): Instant | null {
  const { after, upTo } = windowWithin(schedule, span, window);
  const tick = schedule.createdAt + (ticksUntil(schedule, span, after) + 1) * span.trigger.everyMs;
  return tick <= upTo ? tick : null;
}

/** How many due instants the span has in the window. */
export function countTicks(schedule: TimeSchedule, span: TimeTriggerSpan, window: Window): number {
  const { after, upTo } = windowWithin(schedule, span, window);
  return upTo <= after ? 0 : ticksUntil(schedule, span, upTo) - ticksUntil(schedule, span, after);
}

function ticksUntil({ createdAt }: TimeSchedule, { trigger }: TimeTriggerSpan, instant: Instant): number {
  return Math.floor((instant - createdAt) / trigger.everyMs);
}
