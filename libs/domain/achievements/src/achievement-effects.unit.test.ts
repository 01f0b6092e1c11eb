import type { AchievementEffect } from '@laurel/kernel';
import fc from 'fast-check';
import { decodeAchievementEffects, encodeAchievementEffects } from './achievement-effects.ts';
import { configuration, onCall } from './achievements.fixture.ts';

const EVENT = { occurredAt: Date.parse('2024-03-29T23:30:00.123Z') };
const KEYS = ['first', '__proto__', '10'];
const { names } = configuration(...KEYS.map(onCall));
const completed = (achievement: string): AchievementEffect => ({
  ...{ type: 'AchievementCompleted', achievement, at: EVENT.occurredAt },
});
const revoked = (achievement: string): AchievementEffect => ({ ...completed(achievement), type: 'AchievementRevoked' });

describe('stored effects on achievements', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(...[completed, revoked].map((of) => fc.constantFrom(...KEYS).map(of)))),
        (caused) => {
          const stored = encodeAchievementEffects(caused, names);
          expect(stored === null ? [] : decodeAchievementEffects(stored, EVENT, names)).toEqual(caused);
        },
      ),
    );
  });

  it('are numbers in order, without effects of other areas', () => {
    const others = [{ type: 'UserCreated', at: EVENT.occurredAt }] as const;
    expect(encodeAchievementEffects([...others, completed('10'), completed('first')], names)).toBe('[3,1]');
    expect(encodeAchievementEffects([revoked('10')], names)).toBe('[-3]');
    expect(encodeAchievementEffects(others, names)).toBeNull();
  });
});
