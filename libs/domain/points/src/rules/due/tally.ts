import { add, multiply, negate, subtract, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { earnedBy } from '../award/earned-by.ts';
import { roomAhead } from '../award/room.ts';
import { countTicks } from './schedule.ts';
import { onePull, stretchesOf, type Pull } from './stretches.ts';
import { timeAwards, type Debt } from './time-awards.ts';

/** The result of time awards, without the awards themselves. */
export interface Tally {
  readonly total: Exact;
  /** The sum of the positive awards. */
  readonly earned: Exact;
  /** The number of awards. */
  readonly awards: number;
}

/** The total after all due awards, and their number: the same result as walking {@link timeAwards}. */
export function tallyOf(debt: Debt): Tally {
  let tally: Tally = { total: debt.total, earned: 0, awards: 0 };
  for (const stretch of stretchesOf(debt)) {
    const { total, earned, awards } = stretchTally({ ...stretch, total: tally.total });
    tally = { total, earned: add(tally.earned, earned), awards: tally.awards + awards };
  }
  return tally;
}

/**
 * Tallies a debt with the same validity periods from beginning to end. Uses arithmetic if all triggers move the total
 * in one direction. Otherwise each tick depends on the one before, so it goes tick by tick. Allocates no awards.
 */
export function stretchTally(stretch: Debt): Tally {
  const pull = onePull(stretch);
  return pull === null ? walk(stretch) : jump(stretch, pull);
}

function walk(stretch: Debt): Tally {
  let tally: Tally = { total: stretch.total, earned: 0, awards: 0 };
  for (const { total, awarded } of timeAwards(stretch))
    tally = { total, earned: add(tally.earned, earnedBy(awarded)), awards: tally.awards + 1 };
  return tally;
}

function jump(stretch: Debt, { sign, maxPoints }: Pull): Tally {
  const { total, window } = stretch;
  const room = roomAhead(sign, total, maxPoints);
  const offered = offeredUpTo(stretch, window.upTo);
  const isCut = room !== null && offered > room;
  const moved = multiply(sign, isCut ? room : offered);
  const awards = isCut ? awardsThatFill(stretch, room) : ticksUpTo(stretch, window.upTo);
  return { total: add(total, moved), earned: earnedBy(moved), awards };
}

/** Number of awards until `room`, which is less than the stretch offers, is used up. */
function awardsThatFill(stretch: Debt, room: Exact): number {
  if (room === 0) return 0;
  const { spans, createdAt } = stretch;
  const full = firstInstant(stretch.window, (instant) => offeredUpTo(stretch, instant) >= room);
  let awards = ticksUpTo(stretch, full - 1);
  let left = subtract(room, offeredUpTo(stretch, full - 1));
  for (const span of spans) {
    if (left <= 0) break;
    const ticks = countTicks(span, createdAt, { after: full - 1, upTo: full });
    awards += ticks;
    left = subtract(left, multiply(ticks, sizeOf(span.points)));
  }
  return awards;
}

/** The first instant of the window at which `holds`, by bisection: false before some instant, true from there to the end. */
export function firstInstant(window: Debt['window'], holds: (instant: Instant) => boolean): Instant {
  let { after, upTo } = window;
  while (upTo - after > 1) {
    const middle = after + Math.floor((upTo - after) / 2);
    if (holds(middle)) upTo = middle;
    else after = middle;
  }
  return upTo;
}

const ticksUpTo = ({ spans, createdAt, window: { after } }: Debt, upTo: Instant): number =>
  spans.reduce((ticks, span) => ticks + countTicks(span, createdAt, { after, upTo }), 0);

/** The absolute sum of the awards if all of them fitted. */
const offeredUpTo = ({ spans, createdAt, window: { after } }: Debt, upTo: Instant): Exact =>
  spans.reduce<Exact>(
    (points, span) => add(points, multiply(countTicks(span, createdAt, { after, upTo }), sizeOf(span.points))),
    0,
  );

const sizeOf = (points: Exact): Exact => (points < 0 ? negate(points) : points);
