import { type TimeAward, timeAwards } from './time-awards.ts';
import type { TimeSchedule, Window } from './time-schedule.ts';
import { onePull, type Stretch, stretches } from './time-stretches.ts';
import { firstInstant, stretchTally } from './time-tally.ts';

interface Leg {
  readonly stretch: Stretch;
  /** Before the stretch. */
  readonly total: bigint;
  readonly awards: number;
}

/**
 * The newest `limit` awards due in the window, oldest first.
 *
 * Holds no more than `limit` of them at a time, and skips what is older by arithmetic where triggers do not pull both ways.
 */
export function newestTimeAwards(schedule: TimeSchedule, window: Window, total: bigint, limit: number): TimeAward[] {
  const legs = legsOf(schedule, window, total);
  let missing = limit;
  let first = legs.length;
  while (missing > 0 && first > 0) missing -= legs[--first]?.awards ?? 0;
  const from = legs[first];
  if (from === undefined) return [];
  const start = missing < 0 ? skip(from, -missing) : { after: from.stretch.after, total: from.total };
  return lastOf(timeAwards(schedule, { after: start.after, upTo: window.upTo }, start.total), limit);
}

function legsOf(schedule: TimeSchedule, window: Window, total: bigint): Leg[] {
  let before = total;
  return stretches(schedule, window).map((stretch) => {
    const tally = stretchTally(stretch, before);
    const leg = { stretch, total: before, awards: tally.awards };
    before = tally.total;
    return leg;
  });
}

/** An instant (and the total there) up to which not more than `awards` of the leg were given, as late as arithmetic tells. */
function skip({ stretch, total }: Leg, awards: number): { readonly after: number; readonly total: bigint } {
  if (onePull(stretch) === null) return { after: stretch.after, total };
  const given = (upTo: number) => stretchTally({ ...stretch, upTo }, total);
  const after = firstInstant(stretch, (instant) => given(instant).awards > awards) - 1;
  return { after, total: given(after).total };
}

function lastOf(awards: Iterable<TimeAward>, limit: number): TimeAward[] {
  const kept: TimeAward[] = [];
  for (const award of awards) {
    kept.push(award);
    if (kept.length > limit) kept.shift();
  }
  return kept;
}
