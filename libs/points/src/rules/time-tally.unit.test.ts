import { every, HOUR, pointsSystem } from '../points.fixture.ts';
import { newestTimeAwards } from './newest-time-awards.ts';
import { scheduleOf } from './time-schedule.ts';
import { timeAwards } from './time-awards.ts';
import { timeTally } from './time-tally.ts';

/** So many hours that a walk over the ticks would not come to an end. */
const AGES = 1_000_000_000;
const window = { after: 0, upTo: AGES * HOUR };
const schedule = (points: readonly number[], maxPoints?: number) =>
  scheduleOf(
    pointsSystem(
      'xp',
      points.map((each, index) => every(1, 'hour', each, `trigger ${index}`)),
      { maxPoints },
    ),
    0,
  );

describe('without a walk over the ticks', () => {
  it('a total without a cap is told', () => {
    expect(timeTally(schedule([2, 3]), window, 7n)).toEqual({ total: 7n + 5n * BigInt(AGES), awards: 2 * AGES });
  });

  it('a total that reaches its cap after ages is told, with the number of awards, the last of them cut', () => {
    expect(timeTally(schedule([2, 3], AGES), window, 1n)).toEqual({ total: BigInt(AGES), awards: (2 * AGES) / 5 });
  });

  it('a total that is used up after ages is told', () => {
    expect(timeTally(schedule([-1]), window, 1_000_000n)).toEqual({ total: 0n, awards: 1_000_000 });
  });

  it('the newest awards of a system without a cap are told', () => {
    const newest = newestTimeAwards(schedule([2, 3]), window, 0n, 3);
    expect(newest.map(({ at, awarded }) => [at / HOUR, awarded])).toEqual([
      [AGES - 1, 3n],
      [AGES, 2n],
      [AGES, 3n],
    ]);
  });

  it('ages at the cap pass', () => {
    expect([...timeAwards(schedule([1, 2], 5), window, 5n)]).toEqual([]);
  });

  it('a bound that one of two opposite triggers stands at costs only what the other gives', () => {
    const rarely = { ...every(1, 'hour', 1), everyMs: (AGES / 2) * HOUR };
    const both = scheduleOf(pointsSystem('xp', [every(1, 'hour', -5), rarely]), 0);
    expect([...timeAwards(both, window, 0n)].map(({ at, total }) => [at / HOUR, total])).toEqual([
      [AGES / 2, 1n],
      [AGES / 2 + 1, 0n],
      [AGES, 1n],
    ]);
  });
});
