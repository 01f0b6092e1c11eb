import { levelOf, levelReached } from './points-level.ts';

const levels = [
  { key: 'novice', points: 100n },
  { key: 'adept', points: 1_000 },
];

describe('levelOf', () => {
  it('follows the total or what was earned', () => {
    const standing = { total: 150, earned: 1_000n };
    expect(levelOf({ levels, levelsBy: 'total' }, standing)?.key).toBe('novice');
    expect(levelOf({ levels, levelsBy: 'earned' }, standing)?.key).toBe('adept');
  });
});

describe('levelReached', () => {
  it('returns the highest level whose points are reached', () => {
    expect(levelReached(levels, 1_000n)?.key).toBe('adept');
    expect(levelReached(levels, 999)?.key).toBe('novice');
    expect(levelReached(levels, 100n)?.key).toBe('novice');
  });

  it('returns null below all levels, and if there are none', () => {
    expect(levelReached(levels, 99n)).toBeNull();
    expect(levelReached([], 99)).toBeNull();
  });

  it('is exact beyond the precision of a double', () => {
    const beyond = [{ key: 'far', points: 2n ** 53n + 1n }];
    expect(levelReached(beyond, 2n ** 53n)).toBeNull();
    expect(levelReached(beyond, 2n ** 53n + 1n)?.key).toBe('far');
  });
});
