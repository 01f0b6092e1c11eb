import { formatInstant, type Instant } from '@laurel/calendar';
import type { AchievementDefinition, Configuration } from '@laurel/kernel';
import type { AchievementAnswer } from './achievement.ts';
import { jsonAmount } from './write-json.ts';

/** An achievement of this configuration, as completed at `achievedAt` (null: not, or not by anybody in particular). */
export function achievementAnswer(
  definition: AchievementDefinition,
  achievedAt: Instant | null,
  configuration: Configuration,
): AchievementAnswer {
  const { id, key, name, description, badgeUrl, trigger } = definition;
  return {
    id,
    key,
    trigger: trigger.type,
    metricId: trigger.type === 'metric' ? trigger.metric.id : null,
    metricName: trigger.type === 'metric' ? trigger.metric.name : null,
    metricValue: trigger.type === 'metric' ? jsonAmount(trigger.value) : null,
    ...triggerFields(definition, configuration),
    name,
    description,
    badgeUrl,
    achievedAt: achievedAt === null ? null : formatInstant(achievedAt),
    userAttributes: [],
  };
}

function triggerFields({ trigger }: AchievementDefinition, { achievementByKey }: Configuration) {
  switch (trigger.type) {
    case 'metric':
    case 'api':
      return {};
    case 'streak':
      return { streakLength: trigger.length };
    case 'achievement':
      return { achievementIds: trigger.achievements.flatMap((named) => achievementByKey.get(named)?.id ?? []) };
  }
}
