import fc from 'fast-check';
import { bucketsBetween } from './buckets.ts';
import { addDays, dateOfDay } from './dates.ts';
import { periodOf } from './periods.ts';
import type { Frequency } from './types.ts';

/** Up to 400 dates, what was before them, and changes on some of them. */
const summaries = fc
  .record({
    from: fc.integer({ min: 10_000, max: 30_000 }).map(dateOfDay),
    days: fc.integer({ min: 1, max: 400 }),
    before: fc.bigInt({ min: -1_000n, max: 1_000n }),
    changes: fc.array(fc.tuple(fc.nat(399), fc.bigInt({ min: -50n, max: 50n }))),
    weekStart: fc.constantFrom('monday', 'sunday'),
  })
  .map(({ from, days, before, changes, weekStart }) => ({
    range: { from, to: addDays(from, days - 1) },
    changes: { before, byDate: new Map(changes.map(([day, change]) => [addDays(from, day % days), change])) },
    weekStart,
  }));

const frequencies = fc.constantFrom<Frequency>('daily', 'weekly', 'monthly');
const sum = (values: Iterable<bigint>) => [...values].reduce((total, value) => total + value, 0n);

describe('buckets, for any range and changes', () => {
  it('add up to all changes, and each total is the one before plus its own change', () => {
    fc.assert(
      fc.property(summaries, frequencies, ({ range, changes, weekStart }, frequency) => {
        const buckets = bucketsBetween(range, { frequency, weekStart }, changes);
        expect(sum(buckets.map(({ change }) => change))).toBe(sum(changes.byDate.values()));
        buckets.forEach(({ total, change }, index) =>
          expect(total).toBe((buckets[index - 1]?.total ?? changes.before) + change),
        );
      }),
    );
  });

  it('start at the first date and at each later period, without omissions', () => {
    fc.assert(
      fc.property(summaries, frequencies, ({ range, changes, weekStart }, frequency) => {
        const rule = { frequency, weekStart };
        const dates = bucketsBetween(range, rule, changes).map(({ date }) => date);
        expect(dates[0]).toBe(range.from);
        expect(dates.slice(1)).toEqual(dates.slice(0, -1).map((date) => addDays(periodOf(date, rule).end, 1)));
        expect(periodOf(dates.at(-1)!, rule)).toEqual(periodOf(range.to, rule));
      }),
    );
  });

  it('agree between daily, weekly and monthly totals at the end of each period', () => {
    fc.assert(
      fc.property(summaries, frequencies, ({ range, changes, weekStart }, frequency) => {
        const rule = { frequency, weekStart };
        const daily = bucketsBetween(range, { frequency: 'daily', weekStart }, changes);
        const totalOn = new Map(daily.map(({ date, total }) => [date, total]));
        for (const { date, total } of bucketsBetween(range, rule, changes)) {
          const { end } = periodOf(date, rule);
          expect(total).toBe(totalOn.get(end < range.to ? end : range.to));
        }
      }),
    );
  });
});
