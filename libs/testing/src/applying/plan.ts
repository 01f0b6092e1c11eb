import { achievementsRules, type AchievementsPlan } from '@laurel/achievements';
import { perConfiguration, type Configuration } from '@laurel/kernel';
import { leaderboardsPlanOf, type LeaderboardsPlan } from '@laurel/contributions';
import { pointsRules, type PointsPlan } from '@laurel/points';
import { streaksRules, type StreaksPlan } from '@laurel/streaks';
import { usersRules, type UsersPlan } from '@laurel/users';

/** A configuration version, compiled for the areas. */
export interface Plan {
  readonly configuration: Configuration;
  readonly users: UsersPlan;
  readonly streaks: StreaksPlan;
  readonly achievements: AchievementsPlan;
  readonly points: PointsPlan;
  readonly leaderboards: LeaderboardsPlan;
}

/** Each version is compiled once. */
export const planOf = perConfiguration((configuration): Plan => ({
  configuration,
  users: usersRules.compile(configuration),
  streaks: streaksRules.compile(configuration),
  achievements: achievementsRules.compile(configuration),
  points: pointsRules.compile(configuration),
  leaderboards: leaderboardsPlanOf(configuration),
}));
