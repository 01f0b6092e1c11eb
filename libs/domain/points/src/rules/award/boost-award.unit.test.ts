import type { Boost } from '@laurel/kernel';
import { boostAward } from './boost-award.ts';

const boost = (multiplier: number, fields: Partial<Boost> = {}): Boost => ({
  ...{ id: 'id', name: 'Boost', multiplier, rounding: 'down', start: 100, end: 200 },
  ...fields,
});

const boosted = (points: number | bigint, boosts: readonly Boost[], at = 100) =>
  boostAward({ type: 'metric', points, at }, boosts)?.points ?? null;

describe('an award', () => {
  it('is multiplied exactly, and rounded once', () => {
    expect(boosted(10, [boost(150)])).toBe(15);
    expect(boosted(3, [boost(150), boost(150)])).toBe(6);
    expect(boosted(10n ** 17n + 1n, [boost(10_000)])).toBe(10n ** 19n + 100n);
  });

  it('is rounded as the first boost that applies says', () => {
    const later = boost(100, { rounding: 'up', start: 101 });
    for (const [rounding, points] of [
      ['down', 4],
      ['up', 5],
      ['nearest', 5],
    ] as const)
      expect(boosted(3, [later, boost(150, { rounding }), boost(100, { rounding: 'down' })])).toBe(points);
    expect(boosted(7, [boost(107, { rounding: 'nearest' })])).toBe(7);
    expect(boosted(4, [boost(50, { rounding: 'up' })])).toBe(2);
  });

  it('is multiplied from the start of a boost until just before its end', () => {
    expect([99, 100, 199, 200].map((at) => boosted(1, [boost(200)], at))).toEqual([null, 2, 2, null]);
    expect(boosted(1, [boost(200, { end: null })], 10 ** 15)).toBe(2);
  });

  it('may be rounded to nothing', () => {
    expect(boosted(1, [boost(99)])).toBe(0);
    expect(boosted(1, [boost(1, { rounding: 'up' })])).toBe(1);
  });

  it('is not multiplied if it takes points, or if nothing that a boost names gave it', () => {
    expect(boosted(-1, [boost(200)])).toBeNull();
    for (const type of ['time', 'user_creation', 'grant', 'refund', 'spend', 'correction'] as const)
      expect(boostAward({ type, points: 1, at: 100 }, [boost(200)])).toBeNull();
    for (const type of ['streak', 'achievement'] as const)
      expect(boostAward({ type, points: 1, at: 100 }, [boost(200)])?.points).toBe(2);
  });
});
