import type { AchievementEffect, ConfiguredNames, Effect, Occasion } from '@laurel/kernel';

type AtEvent = Pick<Occasion, 'occurredAt'>;

/**
 * The column `achievements` of an event's row: the numbers of those that it completed, in order, `[3,1]`, each an
 * `AchievementCompleted` at the event's instant. A negative number is one that it took back, `AchievementRevoked`. null: none.
 */
export function encodeAchievementEffects(effects: readonly Effect[], names: ConfiguredNames): string | null {
  const numbers = effects.flatMap((effect) => {
    switch (effect.type) {
      case 'AchievementCompleted':
        return [names.achievements.numberOf(effect.achievement)];
      case 'AchievementRevoked':
        return [-names.achievements.numberOf(effect.achievement)];
      default:
        return [];
    }
  });
  return numbers.length === 0 ? null : JSON.stringify(numbers);
}

/** @throws RangeError for numbers of a version that is not known here */
export const decodeAchievementEffects = (
  achievements: string,
  { occurredAt: at }: AtEvent,
  names: ConfiguredNames,
): readonly AchievementEffect[] =>
  (JSON.parse(achievements) as readonly number[]).map((number) => ({
    type: number < 0 ? 'AchievementRevoked' : 'AchievementCompleted',
    achievement: names.achievements.nameOf(Math.abs(number)),
    at,
  }));
