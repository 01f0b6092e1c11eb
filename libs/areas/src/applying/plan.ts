import { achievementsRules, type AchievementsPlan } from '@laurel/achievements';
import type { Configuration } from '@laurel/contracts';
import { compileLeaderboards, type LeaderboardsPlan } from '@laurel/leaderboards';
import { pointsRules, type PointsPlan } from '@laurel/points';
import { streaksRules, type StreaksPlan } from '@laurel/streaks';
import { usersRules, type UsersPlan } from '@laurel/users';

/** A configuration version as the areas apply it. */
export interface Plan {
  readonly configuration: Configuration;
  readonly users: UsersPlan;
  readonly streaks: StreaksPlan;
  readonly achievements: AchievementsPlan;
  readonly points: PointsPlan;
  readonly leaderboards: LeaderboardsPlan;
}

const plans = new WeakMap<Configuration, Plan>();

/** Each version is compiled once. */
export function planOf(configuration: Configuration): Plan {
  const known = plans.get(configuration);
  if (known !== undefined) return known;
  const plan = {
    configuration,
    users: usersRules.compile(configuration),
    streaks: streaksRules.compile(configuration),
    achievements: achievementsRules.compile(configuration),
    points: pointsRules.compile(configuration),
    leaderboards: compileLeaderboards(configuration),
  };
  plans.set(configuration, plan);
  return plan;
}
