import { bucketsBetween, type DateRange } from './buckets.ts';
import type { Frequency, WeekStart } from './types.ts';

const CHANGES = new Map([
  ['2024-02-29', 5n],
  ['2024-03-02', -2n],
  ['2024-03-03', 10n],
]);

function buckets(frequency: Frequency, range: DateRange, weekStart: WeekStart = 'monday') {
  const found = bucketsBetween(range, { frequency, weekStart }, { before: 100n, byDate: CHANGES });
  return found.map(({ date, total, change }) => [date, total, change]);
}

describe('buckets', () => {
  it('carry the total over from before the range and through periods without a change', () => {
    expect(buckets('daily', { from: '2024-02-29', to: '2024-03-04' })).toEqual([
      ['2024-02-29', 105n, 5n],
      ['2024-03-01', 105n, 0n],
      ['2024-03-02', 103n, -2n],
      ['2024-03-03', 113n, 10n],
      ['2024-03-04', 113n, 0n],
    ]);
  });

  it('are dated at their start, but not before the range', () => {
    expect(buckets('monthly', { from: '2024-02-15', to: '2024-04-01' })).toEqual([
      ['2024-02-15', 105n, 5n],
      ['2024-03-01', 113n, 8n],
      ['2024-04-01', 113n, 0n],
    ]);
  });

  it('start weeks on Monday or Sunday', () => {
    const range = { from: '2024-02-28', to: '2024-03-05' };
    expect(buckets('weekly', range)).toEqual([
      ['2024-02-28', 113n, 13n],
      ['2024-03-04', 113n, 0n],
    ]);
    expect(buckets('weekly', range, 'sunday')).toEqual([
      ['2024-02-28', 103n, 3n],
      ['2024-03-03', 113n, 10n],
    ]);
  });

  it('form a single bucket for a range within one period', () => {
    expect(buckets('monthly', { from: '2024-02-02', to: '2024-02-29' })).toEqual([['2024-02-02', 105n, 5n]]);
  });
});
