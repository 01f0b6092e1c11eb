import { effectsOfType } from '@laurel/kernel';
import { achievementAnswer } from '@laurel/schemas';
import type { Happening, HappeningsOf, Occurrence } from './occurrence.ts';

export const achievementCompleted: HappeningsOf = (occurrence) => completed('achievement.completed', occurrence);
export const achievementDue: HappeningsOf = (occurrence) => completed('emails.achievement_due', occurrence);

const completed = (
  type: 'achievement.completed' | 'emails.achievement_due',
  { effects, configuration }: Occurrence,
): readonly Happening[] =>
  effectsOfType(effects, 'AchievementCompleted').flatMap(({ achievement: key, at }) => {
    const definition = configuration.achievementByKey.get(key);
    if (definition === undefined) return [];
    const achievement = achievementAnswer(definition, at);
    return [{ type, subject: key, at, fields: { achievement } }];
  });
