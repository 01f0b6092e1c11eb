import type { Instant } from '@laurel/calendar';
import type { TimeTrigger } from '@laurel/contracts';
import { cutToRoom, roomAhead } from './cut-to-room.ts';
import { firstTick, type OrderedSpan, type TimeSchedule, type Window } from './time-schedule.ts';

/** One award of a time trigger, at its due instant. */
export interface TimeAward {
  readonly trigger: TimeTrigger;
  readonly at: Instant;
  readonly awarded: bigint;
  readonly total: bigint;
}

interface Tick {
  readonly span: OrderedSpan;
  readonly at: Instant;
}

/**
 * The awards due in the window, beginning with `total`, in order: by instant, then configuration order.
 *
 * Costs what it yields: a tick that would be cut to nothing stays so until the total changes, so it is never visited, and a
 * user who idles at the cap for years costs one look at each span.
 */
export function* timeAwards(schedule: TimeSchedule, window: Window, total: bigint): Generator<TimeAward, void, void> {
  const inReach = { ...schedule, spans: schedule.spans.filter((span) => firstTick(schedule, span, window) !== null) };
  let current = total;
  for (let tick = nextTick(inReach, window, null, current); tick; tick = nextTick(inReach, window, tick, current)) {
    const { trigger, maxPoints } = tick.span;
    const awarded = cutToRoom(trigger.points, current, maxPoints);
    current += awarded;
    yield { trigger, at: tick.at, awarded, total: current };
  }
}

/** The first tick behind `last` that changes the total. */
function nextTick(schedule: TimeSchedule, window: Window, last: Tick | null, total: bigint): Tick | null {
  let next: Tick | null = null;
  for (const span of schedule.spans) {
    if (roomAhead(span.trigger.points, total, span.maxPoints) === 0n) continue;
    const at = firstTick(schedule, span, { after: last ? passed(span, last) : window.after, upTo: window.upTo });
    if (at !== null && (next === null || at < next.at)) next = { span, at };
  }
  return next;
}

/** Up to where the span's ticks are done with: one that is later in order may still fall on the instant of the last. */
function passed(span: OrderedSpan, last: Tick): Instant {
  return span.order > last.span.order ? last.at - 1 : last.at;
}
