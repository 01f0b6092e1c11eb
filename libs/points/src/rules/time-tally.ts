import type { Instant } from '@laurel/calendar';
import { roomAhead } from './cut-to-room.ts';
import { timeAwards } from './time-awards.ts';
import { countTicks, type OrderedSpan, type TimeSchedule, type Window } from './time-schedule.ts';
import { onePull, type Pull, type Stretch, stretches } from './time-stretches.ts';

/** Where time awards lead, without the awards themselves. */
export interface TimeTally {
  readonly total: bigint;
  /** How many awards were given. */
  readonly awards: number;
}

/** The total behind all awards due in the window, and their number: what walking {@link timeAwards} would add up to. */
export function timeTally(schedule: TimeSchedule, window: Window, total: bigint): TimeTally {
  let tally: TimeTally = { total, awards: 0 };
  for (const stretch of stretches(schedule, window)) {
    const { total: after, awards } = stretchTally(stretch, tally.total);
    tally = { total: after, awards: tally.awards + awards };
  }
  return tally;
}

/** Arithmetic if all triggers pull one way; else tick by tick, as each depends on the one before. Allocates no awards. */
export function stretchTally(stretch: Stretch, total: bigint): TimeTally {
  const pull = onePull(stretch);
  return pull ? jump(stretch, pull, total) : walk(stretch, total);
}

function walk(stretch: Stretch, total: bigint): TimeTally {
  let tally: TimeTally = { total, awards: 0 };
  for (const award of timeAwards(stretch.schedule, stretch, total)) {
    tally = { total: award.total, awards: tally.awards + 1 };
  }
  return tally;
}

function jump(stretch: Stretch, { sign, maxPoints }: Pull, total: bigint): TimeTally {
  const room = roomAhead(sign, total, maxPoints);
  const offered = offeredUpTo(stretch, stretch.upTo);
  if (room === null || offered <= room)
    return { total: total + sign * offered, awards: ticksUpTo(stretch, stretch.upTo) };
  return { total: total + sign * room, awards: awardsThatFill(stretch, room) };
}

/** How many awards it takes until `room` (less than all that the stretch offers) is used up. */
function awardsThatFill(stretch: Stretch, room: bigint): number {
  if (room === 0n) return 0;
  const full = firstInstant(stretch, (instant) => offeredUpTo(stretch, instant) >= room);
  let awards = ticksUpTo(stretch, full - 1);
  let left = room - offeredUpTo(stretch, full - 1);
  for (const span of stretch.schedule.spans) {
    if (left <= 0n) break;
    const ticks = countTicks(stretch.schedule, span, { after: full - 1, upTo: full });
    awards += ticks;
    left -= BigInt(ticks) * size(span);
  }
  return awards;
}

/** The first instant of the window at which `holds`, by bisection: false before some instant, true from there to the end. */
export function firstInstant(window: Window, holds: (instant: Instant) => boolean): Instant {
  let { after, upTo } = window;
  while (upTo - after > 1) {
    const middle = after + Math.floor((upTo - after) / 2);
    if (holds(middle)) upTo = middle;
    else after = middle;
  }
  return upTo;
}

function ticksUpTo({ schedule, after }: Stretch, upTo: Instant): number {
  return schedule.spans.reduce((ticks, span) => ticks + countTicks(schedule, span, { after, upTo }), 0);
}

/** What the triggers would move the total by if there were room for everything, without the sign. */
function offeredUpTo({ schedule, after }: Stretch, upTo: Instant): bigint {
  return schedule.spans.reduce(
    (points, span) => points + BigInt(countTicks(schedule, span, { after, upTo })) * size(span),
    0n,
  );
}

function size({ trigger: { points } }: OrderedSpan): bigint {
  return points < 0n ? -points : points;
}
