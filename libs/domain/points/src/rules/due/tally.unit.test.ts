import { exactOf } from '@laurel/amounts';
import { every, HOUR, pointsSystem } from '../../points.fixture.ts';
import { newestTimeAwards } from './newest-time-awards.ts';
import { spansOf } from './schedule.ts';
import { tallyOf } from './tally.ts';
import { timeAwards, type Debt } from './time-awards.ts';

/** So many hours that a walk over the ticks would not come to an end. */
const AGES = 1_000_000_000;
const debt = (total: number, points: readonly number[], maxPoints?: number) => {
  const triggers = points.map((each, index) => every(1, 'hour', each, `trigger ${index}`));
  return owed(total, pointsSystem('xp', triggers, { maxPoints }));
};
const owed = (total: number, definition: Parameters<typeof spansOf>[0]): Debt => ({
  createdAt: 0,
  spans: spansOf(definition, 0),
  window: { after: 0, upTo: AGES * HOUR },
  total,
});

describe('the closed form of time awards', () => {
  it('finds the total after a billion hours without a cap', () => {
    expect(tallyOf(debt(7, [2, 3]))).toEqual({ total: 7 + 5 * AGES, earned: 5 * AGES, awards: 2 * AGES });
  });

  it('finds a total beyond the precision of a double', () => {
    const huge = 2 ** 52 + 1;
    const total = exactOf(BigInt(huge) * BigInt(AGES));
    expect(tallyOf(debt(0, [huge]))).toEqual({ total, earned: total, awards: AGES });
  });

  it('finds the total that reached its cap, and the number of awards with the last one reduced', () => {
    expect(tallyOf(debt(1, [2, 3], AGES))).toEqual({ total: AGES, earned: AGES - 1, awards: (2 * AGES) / 5 });
  });

  it('finds the total that fell to 0', () => {
    expect(tallyOf(debt(1_000_000, [-1]))).toEqual({ total: 0, earned: 0, awards: 1_000_000 });
  });

  it('finds the newest awards of a system without a cap', () => {
    const newest = newestTimeAwards(debt(0, [2, 3]), 3);
    expect(newest.map(({ at, awarded }) => [at / HOUR, awarded])).toEqual([
      [AGES - 1, 3],
      [AGES, 2],
      [AGES, 3],
    ]);
  });

  it('skips the time at the cap', () => {
    expect([...timeAwards(debt(5, [1, 2], 5))]).toEqual([]);
  });

  it('visits only the awards of one trigger while the other has no room', () => {
    const rarely = { ...every(1, 'hour', 1), interval: AGES / 2 };
    const both = owed(0, pointsSystem('xp', [every(1, 'hour', -5), rarely]));
    expect([...timeAwards(both)].map(({ at, total }) => [at / HOUR, total])).toEqual([
      [AGES / 2, 1],
      [AGES / 2 + 1, 0],
      [AGES, 1],
    ]);
  });
});
