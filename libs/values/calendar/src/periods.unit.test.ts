import { nextPeriod, periodOf, periodsEndingWith, periodsFrom, previousPeriod } from './periods.ts';
import type { PeriodRule } from './types.ts';

const daily: PeriodRule = { frequency: 'daily', weekStart: 'monday' };
const weekly: PeriodRule = { frequency: 'weekly', weekStart: 'monday' };
const sundayWeeks: PeriodRule = { frequency: 'weekly', weekStart: 'sunday' };
const monthly: PeriodRule = { frequency: 'monthly', weekStart: 'monday' };

describe('periodOf', () => {
  it('returns the day itself if the frequency is daily', () => {
    expect(periodOf('2024-02-29', daily)).toEqual({ start: '2024-02-29', end: '2024-02-29' });
  });

  it('returns the week from Monday', () => {
    for (const date of ['2024-01-01', '2024-01-04', '2024-01-07']) {
      expect(periodOf(date, weekly)).toEqual({ start: '2024-01-01', end: '2024-01-07' });
    }
  });

  it('returns the week from Sunday if weeks start on Sunday', () => {
    expect(periodOf('2024-01-06', sundayWeeks)).toEqual({ start: '2023-12-31', end: '2024-01-06' });
    expect(periodOf('2024-01-07', sundayWeeks)).toEqual({ start: '2024-01-07', end: '2024-01-13' });
  });

  it('returns the calendar month', () => {
    expect(periodOf('2024-02-17', monthly)).toEqual({ start: '2024-02-01', end: '2024-02-29' });
  });
});

describe('sequences of periods', () => {
  it('end with the given period, oldest first', () => {
    expect(periodsEndingWith(periodOf('2024-03-15', monthly), 3, monthly).map((p) => p.start)).toEqual([
      '2024-01-01',
      '2024-02-01',
      '2024-03-01',
    ]);
    expect(periodsEndingWith(periodOf('2024-03-15', daily), 1, daily).map((p) => p.start)).toEqual(['2024-03-15']);
  });

  it('start with the calendar if they would go back further', () => {
    for (const [frequency, first] of [
      ['daily', '0001-02-01'],
      ['weekly', '0001-01-29'],
      ['monthly', '0001-02-01'],
    ] as const) {
      const rule = { frequency, weekStart: 'monday' } as const;
      const periods = periodsEndingWith(periodOf('0001-02-01', rule), 100, rule);
      expect([periods[0]?.start, periods.at(-1)?.start]).toEqual(['0001-01-01', first]);
    }
  });

  it('run from the first to the last, including both', () => {
    const [first, last] = [periodOf('2024-02-28', daily), periodOf('2024-03-01', daily)];
    expect(periodsFrom(first, last, daily).map((p) => p.start)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    expect(periodsFrom(last, first, daily)).toEqual([]);
  });

  it('step to the adjacent period', () => {
    expect(nextPeriod(periodOf('2023-12-31', monthly), monthly).start).toBe('2024-01-01');
    expect(previousPeriod(periodOf('2024-01-01', weekly), weekly)).toEqual({ start: '2023-12-25', end: '2023-12-31' });
  });
});
