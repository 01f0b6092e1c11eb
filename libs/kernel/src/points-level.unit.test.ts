import { levelReached } from './points-level.ts';

const levels = [
  { key: 'novice', points: 100n },
  { key: 'adept', points: 1_000 },
];

describe('the level', () => {
  it('is the highest whose points are reached', () => {
    expect(levelReached(levels, 1_000n)?.key).toBe('adept');
    expect(levelReached(levels, 999)?.key).toBe('novice');
    expect(levelReached(levels, 100n)?.key).toBe('novice');
  });

  it('is null below all of them, and without any', () => {
    expect(levelReached(levels, 99n)).toBeNull();
    expect(levelReached([], 99)).toBeNull();
  });

  it('is exact beyond what a double can hold', () => {
    const beyond = [{ key: 'far', points: 2n ** 53n + 1n }];
    expect(levelReached(beyond, 2n ** 53n)).toBeNull();
    expect(levelReached(beyond, 2n ** 53n + 1n)?.key).toBe('far');
  });
});
