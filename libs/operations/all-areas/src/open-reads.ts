import { AchievementQueries } from '@laurel/achievements';
import type { ConfigurationHistory, SqlReader } from '@laurel/kernel';
import { LeaderboardQueries, type LeaderboardsArea } from '@laurel/leaderboards';
import { PointsQueries } from '@laurel/points';
import { postgresStateReader } from '@laurel/engine';
import { StreakQueries } from '@laurel/streaks';
import { UserQueries } from '@laurel/users';

/** The queries of every area. */
export interface AreaReads {
  readonly users: UserQueries;
  readonly streaks: StreakQueries;
  readonly achievements: AchievementQueries;
  readonly points: PointsQueries;
  readonly leaderboards: LeaderboardQueries;
}

/** @param boards the area that the process writes with, or a separate one if the process only reads */
export function openReads(
  sql: SqlReader,
  boards: LeaderboardsArea,
  historyOf: (account: string) => ConfigurationHistory,
): AreaReads {
  const states = postgresStateReader(sql);
  const users = new UserQueries(sql, states, historyOf);
  return {
    users,
    streaks: new StreakQueries(sql, states, historyOf),
    achievements: new AchievementQueries(sql, historyOf),
    points: new PointsQueries(sql, states, historyOf, users),
    leaderboards: new LeaderboardQueries(boards, sql, historyOf),
  };
}
