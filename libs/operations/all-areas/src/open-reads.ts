import { AchievementQueries } from '@laurel/achievements';
import type { ConfigurationHistory, SqlReader, StateReader } from '@laurel/kernel';
import { LeaderboardQueries, type LeaderboardsArea } from '@laurel/leaderboards';
import { PointsQueries } from '@laurel/points';
import { postgresStateReader, type UserAreaName } from '@laurel/engine';
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
  const users = openUserAreaReads(() => sql, postgresStateReader(sql), historyOf);
  return { ...users, leaderboards: new LeaderboardQueries(boards, sql, historyOf) };
}

/** The queries of the areas of users. @param sqlOf where an area has its tables */
export function openUserAreaReads(
  sqlOf: (area: UserAreaName) => SqlReader,
  states: StateReader,
  historyOf: (account: string) => ConfigurationHistory,
): Omit<AreaReads, 'leaderboards'> {
  const users = new UserQueries(sqlOf('users'), states, historyOf);
  return {
    users,
    streaks: new StreakQueries(sqlOf('streaks'), states, historyOf),
    achievements: new AchievementQueries(sqlOf('achievements'), states, historyOf),
    points: new PointsQueries(sqlOf('points'), states, historyOf, users),
  };
}
