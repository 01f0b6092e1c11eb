import {
  effectsOfType,
  type AchievementEffect,
  type ConfiguredNames,
  type Effect,
  type Occasion,
} from '@laurel/contracts';

type AtEvent = Pick<Occasion, 'occurredAt'>;

/**
 * The column `achievements` of an event's row: the numbers of those that it completed, in order, `[3,1]`. Each is an
 * `AchievementCompleted` at the event's instant. null: none.
 */
export function encodeAchievementEffects(effects: readonly Effect[], names: ConfiguredNames): string | null {
  const completed = effectsOfType(effects, 'AchievementCompleted');
  if (completed.length === 0) return null;
  return JSON.stringify(completed.map(({ achievement }) => names.achievements.numberOf(achievement)));
}

/** @throws RangeError for numbers of a version that is not known here */
export const decodeAchievementEffects = (
  achievements: string,
  { occurredAt: at }: AtEvent,
  names: ConfiguredNames,
): readonly AchievementEffect[] =>
  (JSON.parse(achievements) as readonly number[]).map((number) => ({
    type: 'AchievementCompleted',
    achievement: names.achievements.nameOf(number),
    at,
  }));
