import { formatInstant, type Instant } from '@laurel/calendar';
import {
  type AchievementAnswer,
  type AchievementDefinition,
  type AchievementsSection,
  type Configuration,
  jsonAmount,
  type ListedAchievement,
} from '@laurel/contracts';

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

/** The achievements that a record completed, in the order of completion. */
export function completedAchievements(
  section: AchievementsSection | undefined,
  configuration: Configuration,
): AchievementAnswer[] {
  return (section?.completed ?? []).flatMap(({ key, achievedAt }) => {
    const definition = configuration.achievementByKey.get(key);
    return definition ? [achievementAnswer(definition, achievedAt, configuration)] : [];
  });
}

/** How many users there are, and how many completed each achievement. */
export interface CompletionCounts {
  readonly users: number;
  readonly completions: ReadonlyMap<string, number>;
}

export function listedAchievement(
  definition: AchievementDefinition,
  achievedAt: Instant | null,
  configuration: Configuration,
  counts: CompletionCounts,
): ListedAchievement {
  const completions = counts.completions.get(definition.key) ?? 0;
  const answer = achievementAnswer(definition, achievedAt, configuration);
  return { ...answer, completions, rarity: rarity(completions, counts.users) };
}

/** 100 × completions ÷ users, two decimals; 0 without users (specification, section 5). */
export function rarity(completions: number, users: number): number {
  return users === 0 ? 0 : Math.round((completions * 10_000) / users) / 100;
}
