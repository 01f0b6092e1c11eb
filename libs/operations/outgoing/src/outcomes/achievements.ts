import { effectsOfType } from '@laurel/kernel';
import { achievementAnswer } from '@laurel/schemas';
import type { Composer } from './composer.ts';

export const achievementCompleted: Composer<'achievement.completed' | 'emails.achievement_due'> = ({
  effects,
  configuration,
}) =>
  effectsOfType(effects, 'AchievementCompleted').flatMap(({ achievement: key, at }) => {
    const definition = configuration.achievementByKey.get(key);
    if (definition === undefined) return [];
    return [{ subject: key, at, fields: { achievement: achievementAnswer(definition, at) } }];
  });
