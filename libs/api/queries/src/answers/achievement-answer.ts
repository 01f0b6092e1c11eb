import type { Instant } from '@laurel/calendar';
import {
  achievementProgress,
  type AchievementDefinition,
  type AchievementsAnswer,
  type AchievementStanding,
  type Configuration,
} from '@laurel/kernel';
import {
  achievementAnswer,
  jsonAmount,
  type AchievementAnswer,
  type ListedAchievement,
  type UserAchievementAnswer,
} from '@laurel/schemas';

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
  at: Instant,
): ListedAchievement {
  const completions = counts.completions.get(definition.key) ?? 0;
  const answer = achievementAnswer(definition, achievedAt, at);
  return { ...answer, completions, rarity: rarity(completions, counts.users) };
}

/** What a user has of what achievements count, with the instants of completions. */
export interface UserStanding extends AchievementStanding {
  readonly completed: ReadonlyMap<string, Instant>;
}

export function userAchievement(
  definition: AchievementDefinition,
  standing: UserStanding,
  counts: CompletionCounts,
  at: Instant,
): UserAchievementAnswer {
  const answer = listedAchievement(definition, standing.completed.get(definition.key) ?? null, counts, at);
  const progress = achievementProgress(definition, standing);
  if (progress === null) return answer;
  return { ...answer, progress: { have: jsonAmount(progress.have), need: jsonAmount(progress.need) } };
}

/** 100 × completions ÷ users, two decimals; 0 without users (specification, section 5). */
export function rarity(completions: number, users: number): number {
  return users === 0 ? 0 : Math.round((completions * 10_000) / users) / 100;
}
