import fc from 'fast-check';
import { addDays, dateOfDay } from './dates.ts';
import { nextPeriod, periodOf, periodsEndingWith, periodsFrom, previousPeriod } from './periods.ts';
import type { PeriodRule } from './types.ts';

const rules: fc.Arbitrary<PeriodRule> = fc.record({
  frequency: fc.constantFrom('daily', 'weekly', 'monthly'),
  weekStart: fc.constantFrom('monday', 'sunday'),
});
const dates = fc.integer({ min: -700_000, max: 2_900_000 }).map(dateOfDay);

describe('periods', () => {
  it('contain their date, and every date of a period has that period', () => {
    fc.assert(
      fc.property(dates, rules, (date, rule) => {
        const period = periodOf(date, rule);
        expect(period.start <= date && date <= period.end).toBe(true);
        expect(periodOf(period.start, rule)).toEqual(period);
        expect(periodOf(period.end, rule)).toEqual(period);
      }),
    );
  });

  it('follow each other without gaps or overlaps', () => {
    fc.assert(
      fc.property(dates, rules, (date, rule) => {
        const period = periodOf(date, rule);
        const next = nextPeriod(period, rule);
        expect(next.start).toBe(addDays(period.end, 1));
        expect(previousPeriod(next, rule)).toEqual(period);
      }),
    );
  });

  it('are the same counted from either end', () => {
    fc.assert(
      fc.property(dates, rules, fc.integer({ min: 1, max: 60 }), (date, rule, count) => {
        const last = periodOf(date, rule);
        const periods = periodsEndingWith(last, count, rule);
        expect(periods).toHaveLength(count);
        expect(periodsFrom(periods[0]!, last, rule)).toEqual(periods);
      }),
    );
  });
});
