import { level } from '../points.fixture.ts';
import { levelOf } from './level-of.ts';

const levels = [level('novice', 100), level('adept', 1_000)];

describe('the level', () => {
  it('is the highest whose points are reached', () => {
    expect(levelOf(levels, 1_000n)?.key).toBe('adept');
    expect(levelOf(levels, 999n)?.key).toBe('novice');
    expect(levelOf(levels, 100n)?.key).toBe('novice');
  });

  it('is null below all of them, and without any', () => {
    expect(levelOf(levels, 99n)).toBeNull();
    expect(levelOf([], 99n)).toBeNull();
  });
});
