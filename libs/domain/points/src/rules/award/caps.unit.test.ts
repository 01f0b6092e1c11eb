import { parseDay, type Instant } from '@laurel/calendar';
import type { CapPeriod } from '@laurel/kernel';
import { cappedAward, presentUsing, roomsFor, type Cap } from './caps.ts';
import { capId, presentAfter, type Present } from './present.ts';

const FREQUENCY = { day: 'daily', week: 'weekly', month: 'monthly' } as const;
const cap = (per: CapPeriod, points: number): Cap => ({
  id: capId(per, -1),
  period: { frequency: FREQUENCY[per], weekStart: 'monday' },
  points,
  cutBy: 'system_cap',
});
const on = (text: string): { readonly at: Instant; readonly day: number } => ({
  at: Date.parse(`${text}T12:00:00Z`),
  day: parseDay(text),
});
const after = (present: Present | null, text: string) => presentAfter(present, on(text).at, on(text).day, 'monday');

/** Gives so many points on each date, cut to the smallest room, and returns what was given. */
function giving(caps: readonly Cap[], ...awards: readonly (readonly [date: string, points: number])[]) {
  let present: Present | null = null;
  return awards.map(([date, points]) => {
    const capped = cappedAward(caps, on(date), present);
    const given = Math.min(points, ...roomsFor(capped).map(({ left }) => Number(left)));
    if (given > 0) present = presentUsing(capped, given);
    return given;
  });
}

describe('a cap', () => {
  // 2026-03-10 is a Tuesday.
  it('leaves room for so many points in a day, and for as many on the next', () => {
    expect(giving([cap('day', 10)], ['2026-03-10', 6], ['2026-03-10', 6], ['2026-03-11', 12])).toEqual([6, 4, 10]);
  });

  it('counts a week from its first day, and a month', () => {
    const week = [cap('week', 10)];
    expect(giving(week, ['2026-03-10', 6], ['2026-03-15', 6], ['2026-03-16', 12])).toEqual([6, 4, 10]);
    const month = [cap('month', 10)];
    expect(giving(month, ['2026-03-10', 6], ['2026-03-31', 6], ['2026-04-01', 12])).toEqual([6, 4, 10]);
  });

  it('counts beside others, so that the smallest room decides', () => {
    const caps = [cap('day', 10), cap('week', 15)];
    expect(giving(caps, ['2026-03-10', 12], ['2026-03-11', 12], ['2026-03-16', 12])).toEqual([10, 5, 10]);
  });

  it('does not count a late award of a period that is over, each cap by itself', () => {
    const caps = [cap('day', 10), cap('month', 25)];
    expect(giving(caps, ['2026-03-10', 8], ['2026-03-09', 12], ['2026-03-10', 8], ['2026-02-28', 90])).toEqual([
      8, 12, 2, 90,
    ]);
  });

  it('counts an award that is not late in the present period, even if its date on the clock is earlier', () => {
    const east = presentAfter(null, on('2026-03-10').at, on('2026-03-11').day, 'monday');
    const { caps } = cappedAward([cap('day', 10)], { ...on('2026-03-10'), at: on('2026-03-10').at + 1 }, east);
    expect(caps).toHaveLength(1);
  });

  it('leaves nothing, and nothing less, if it was lowered below what it has given', () => {
    const present = presentUsing(cappedAward([cap('day', 10)], on('2026-03-10'), null), 8);
    expect(roomsFor(cappedAward([cap('day', 5)], on('2026-03-10'), present))).toEqual([
      { left: 0, cutBy: 'system_cap' },
    ]);
  });
});

describe('the present of a user', () => {
  it('moves on with the latest instant and the latest date, and never back', () => {
    const first = after(null, '2026-03-10');
    expect(after(first, '2026-03-09')).toBe(first);
    expect(after(first, '2026-03-11')).toMatchObject(on('2026-03-11'));
    const west = presentAfter(first, first.at + 1, first.day - 1, 'monday');
    expect(west).toMatchObject({ at: first.at + 1, day: first.day });
  });

  it('forgets what is used of the caps whose period is over', () => {
    const caps = [cap('day', 9), cap('week', 9), cap('month', 9)];
    const present = presentUsing(cappedAward(caps, on('2026-03-14'), null), 4);
    expect([...after(present, '2026-03-14').used.keys()]).toEqual(['d-1', 'w-1', 'm-1']);
    expect([...after(present, '2026-03-15').used.keys()]).toEqual(['w-1', 'm-1']);
    expect([...after(present, '2026-03-16').used.keys()]).toEqual(['m-1']);
    expect([...presentAfter(present, present.at, on('2026-03-15').day, 'sunday').used.keys()]).toEqual(['m-1']);
    expect(after(present, '2026-04-01').used).toEqual(new Map());
  });
});
