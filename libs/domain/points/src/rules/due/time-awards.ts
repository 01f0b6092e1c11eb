import { add, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { cutToRoom, roomAhead } from '../award/room.ts';
import { firstTick, type TriggerPeriod, type Window } from './schedule.ts';

/** One award of a time trigger, at its due instant. */
export interface TimeAward {
  readonly span: TriggerPeriod;
  readonly at: Instant;
  readonly awarded: Exact;
  readonly total: Exact;
}

/** The time awards that a system owes a user: those that fall due in the window, starting from `total`. */
export interface Debt {
  readonly createdAt: Instant;
  readonly spans: readonly TriggerPeriod[];
  readonly window: Window;
  readonly total: Exact;
}

/**
 * The due awards, by instant, then configuration order.
 *
 * The time is proportional to the awards that it yields: ticks whose award is cut to nothing are skipped until the
 * total changes. A user who stays at the cap for years costs one look at each validity period.
 */
export function* timeAwards({ createdAt, spans, window, total }: Debt): Generator<TimeAward, void, void> {
  const inReach = spans.filter((span) => firstTick(span, createdAt, window) !== null);
  let current = total;
  let tick = nextTick(inReach, createdAt, window, null, current);
  for (; tick !== null; tick = nextTick(inReach, createdAt, window, tick, current)) {
    const awarded = cutToRoom(tick.span.points, current, tick.span.maxPoints);
    current = add(current, awarded);
    yield { span: tick.span, at: tick.at, awarded, total: current };
  }
}

/** The first instant at which an award falls due, or null if none does in the window before the total changes. */
export function firstDue({ createdAt, spans, window, total }: Debt): Instant | null {
  return nextTick(spans, createdAt, window, null, total)?.at ?? null;
}

interface Tick {
  readonly span: TriggerPeriod;
  readonly at: Instant;
}

/** The first tick after `last` that changes the total. */
function nextTick(
  spans: readonly TriggerPeriod[],
  createdAt: Instant,
  { after, upTo }: Window,
  last: Tick | null,
  total: Exact,
): Tick | null {
  let next: Tick | null = null;
  for (const span of spans) {
    if (roomAhead(span.points, total, span.maxPoints) === 0) continue;
    const at = firstTick(span, createdAt, { after: last === null ? after : passed(span, last), upTo });
    if (at !== null && (next === null || at < next.at)) next = { span, at };
  }
  return next;
}

/**
 * The instant up to which the period's ticks are done. A period with a higher order may still have a tick at the
 * instant of the last one.
 */
const passed = (span: TriggerPeriod, last: Tick): Instant => (span.order > last.span.order ? last.at - 1 : last.at);
