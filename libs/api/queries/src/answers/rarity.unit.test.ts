import { rarity } from './achievement-answer.ts';

describe('rarity', () => {
  it('is the percentage of users who completed an achievement, with two decimals', () => {
    expect([rarity(1, 3), rarity(2, 3), rarity(3, 3), rarity(1, 100_000), rarity(0, 5)]).toEqual([
      33.33, 66.67, 100, 0, 0,
    ]);
  });

  it('is 0 without users', () => {
    expect(rarity(0, 0)).toBe(0);
  });
});
