import { achievementAnswer, effectsOfType } from '@laurel/contracts';
import type { HappeningsOf } from './occurrence.ts';

export const achievementCompleted: HappeningsOf = ({ effects, configuration }) =>
  effectsOfType(effects, 'AchievementCompleted').flatMap(({ achievement: key, at }) => {
    const definition = configuration.achievementByKey.get(key);
    if (definition === undefined) return [];
    const achievement = achievementAnswer(definition, at, configuration);
    return [{ type: 'achievement.completed', subject: key, at, fields: { achievement } }];
  });
