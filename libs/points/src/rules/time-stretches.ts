import type { OrderedSpan, TimeSchedule, Window } from './time-schedule.ts';

/** A window in which the same spans (at least one) are in force from end to end. */
export interface Stretch extends Window {
  readonly schedule: TimeSchedule;
}

/** The window cut wherever a span begins or ends, oldest first; parts without any span in force are left out. */
export function stretches(schedule: TimeSchedule, window: Window): readonly Stretch[] {
  if (window.upTo <= window.after || schedule.spans.length === 0) return [];
  return partsOf(schedule, window)
    .map((part) => ({ ...part, schedule: { ...schedule, spans: schedule.spans.filter((span) => holds(span, part)) } }))
    .filter((stretch) => stretch.schedule.spans.length > 0);
}

function partsOf(schedule: TimeSchedule, window: Window): Window[] {
  const cuts = schedule.spans
    .flatMap((span) => [span.from - 1, span.until - 1])
    .filter((cut) => window.after < cut && cut < window.upTo);
  const ends = [...new Set([...cuts, window.upTo])].sort((a, b) => a - b);
  return ends.map((upTo, index) => ({ after: ends[index - 1] ?? window.after, upTo }));
}

function holds(span: OrderedSpan, part: Window): boolean {
  return span.from - 1 <= part.after && part.upTo <= span.until - 1;
}

/** Where all triggers of a stretch pull the total, and how far they may. */
export interface Pull {
  readonly sign: 1n | -1n;
  readonly maxPoints: bigint | null;
}

/** The one pull of a stretch; null if its triggers pull both ways (or have different caps), so that their order decides. */
export function onePull({ schedule: { spans } }: Stretch): Pull | null {
  const [first, ...others] = spans.map(pullOf);
  if (first === undefined) return null;
  return others.every(({ sign, maxPoints }) => sign === first.sign && maxPoints === first.maxPoints) ? first : null;
}

function pullOf(span: OrderedSpan): Pull {
  return { sign: span.trigger.points > 0n ? 1n : -1n, maxPoints: span.maxPoints };
}
