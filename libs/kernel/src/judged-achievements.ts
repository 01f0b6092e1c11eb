import { requiresEvent, requiresUser } from './conditions.ts';
import type { AchievementDefinition, Configuration } from './configuration.ts';

/**
 * Achievements with a condition on users are judged with every record, whatever it reports. So the areas that know totals and streaks tell
 * the achievements area what these achievements count, under configurations that have any (specification, section 5.9).
 */
const judged = ({ achievements }: Configuration): readonly AchievementDefinition[] =>
  achievements.filter(({ where }) => requiresUser(where));

/** The indices of the metrics whose totals the judged achievements count, ascending. */
export function judgedMetrics(configuration: Configuration): readonly number[] {
  const counted = judged(configuration).flatMap(({ trigger, where }) =>
    trigger.type === 'metric' && !requiresEvent(where) ? [trigger.metric.key] : [],
  );
  return configuration.metrics.flatMap(({ key }, index) => (counted.includes(key) ? [index] : []));
}

/** Whether a judged achievement counts the length of the streak. */
export const judgesStreak = (configuration: Configuration): boolean =>
  judged(configuration).some(({ trigger }) => trigger.type === 'streak');
