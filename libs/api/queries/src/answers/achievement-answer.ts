import type { Instant } from '@laurel/calendar';
import type { AchievementDefinition, AchievementsAnswer, Configuration } from '@laurel/kernel';
import { achievementAnswer, type AchievementAnswer, type ListedAchievement } from '@laurel/schemas';

/** The achievements that a record completed, in the order of completion. */
export function completedAchievements(
  section: AchievementsAnswer | undefined,
  configuration: Configuration,
): AchievementAnswer[] {
  return (section?.completed ?? []).flatMap(({ key, achievedAt }) => {
    const definition = configuration.achievementByKey.get(key);
    return definition ? [achievementAnswer(definition, achievedAt)] : [];
  });
}

/** The number of users, and how many of them completed each achievement. */
export interface CompletionCounts {
  readonly users: number;
  readonly completions: ReadonlyMap<string, number>;
}

export function listedAchievement(
  definition: AchievementDefinition,
  achievedAt: Instant | null,
  counts: CompletionCounts,
): ListedAchievement {
  const completions = counts.completions.get(definition.key) ?? 0;
  const answer = achievementAnswer(definition, achievedAt);
  return { ...answer, completions, rarity: rarity(completions, counts.users) };
}

/** 100 × completions ÷ users, two decimals; 0 without users (specification, section 5). */
export function rarity(completions: number, users: number): number {
  return users === 0 ? 0 : Math.round((completions * 10_000) / users) / 100;
}
