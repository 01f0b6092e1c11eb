import { AchievementQueries, achievementsArea, achievementsMigrations } from '@laurel/achievements';
import { localDate } from '@laurel/calendar';
import { compileHistory } from '@laurel/configuration';
import type { AchievementReads, Clock, LeaderboardReads, PointsReads, StreakReads, UserReads } from '@laurel/contracts';
import {
  assertTextIsSafe,
  clientConfig,
  databaseMigrations,
  dataSourceOf,
  migrate,
  sqlReader,
  type ConnectionOptions,
} from '@laurel/database';
import { LogWriter, PostgresEventStore, eventStoreMigrations } from '@laurel/event-store';
import { LeaderboardQueries, LeaderboardsArea, leaderboardsMigrations } from '@laurel/leaderboards';
import { PointsQueries, pointsArea, pointsMigrations } from '@laurel/points';
import {
  Chain,
  Engine,
  PostgresBatchStore,
  postgresStateReader,
  projectionMigrations,
  type AnyUserArea,
  type LaneState,
} from '@laurel/projections';
import { StreakQueries, streaksArea, streaksMigrations } from '@laurel/streaks';
import { UserQueries, usersArea, usersMigrations } from '@laurel/users';
import type { DataSource } from 'typeorm';
import { newEventId } from './new-event-id.ts';

/** The account of a process that has no door for more. */
export const ACCOUNT = 'default';

/** The whole chain in one process: the engine, and the read side of each area. */
export interface Service {
  readonly engine: Engine;
  readonly dataSource: DataSource;
  readonly users: UserReads;
  readonly streaks: StreakReads;
  readonly achievements: AchievementReads;
  readonly points: PointsReads;
  readonly leaderboards: LeaderboardReads;
  close(): Promise<void>;
}

export interface ServiceEvents {
  readonly onAreaFailure: (area: string, position: number, error: unknown) => void;
  readonly onLaneState: (state: LaneState, error: unknown) => void;
  readonly onSweepFailure: (error: unknown) => void;
}

const MIGRATIONS = [
  ...eventStoreMigrations,
  ...projectionMigrations,
  ...databaseMigrations,
  ...usersMigrations,
  ...streaksMigrations,
  ...achievementsMigrations,
  ...pointsMigrations,
  ...leaderboardsMigrations,
];

/** @throws LogInUseError while another process writes to the database. */
export async function startService(
  connection: ConnectionOptions,
  clock: Clock,
  events: ServiceEvents,
): Promise<Service> {
  const dataSource = await dataSourceOf(connection, MIGRATIONS).initialize();
  await migrate(dataSource, connection);
  const sql = sqlReader(dataSource);
  await assertTextIsSafe(sql);
  const writer = await LogWriter.open(clientConfig(connection));

  const userAreas = [usersArea, streaksArea, achievementsArea, pointsArea] as readonly AnyUserArea[];
  const boards = new LeaderboardsArea(sql);
  const chain = new Chain(userAreas, boards, events.onAreaFailure);
  const states = postgresStateReader(sql);
  const users = new UserQueries(sql, states);
  const engine = await Engine.start(
    {
      store: new PostgresBatchStore(writer, sql, [...userAreas.flatMap((area) => area.tables), ...boards.tables]),
      log: new PostgresEventStore(writer, sql),
      chain,
      clock,
      newEventId,
      originalDates: async (keys) => {
        const zones = await users.zonesAt(
          keys.map(({ scope, position }) => ({ account: scope.account, userId: scope.userId, position })),
        );
        return keys.map(({ occurredAt }, index) => localDate(occurredAt, zones[index] ?? 'UTC'));
      },
      compileHistory,
      onLaneState: events.onLaneState,
      onSweepFailure: events.onSweepFailure,
    },
    [ACCOUNT],
  );
  const historyOf = (account: string) => engine.historyOf(account);
  return {
    engine,
    dataSource,
    users,
    streaks: new StreakQueries(sql, states, historyOf),
    achievements: new AchievementQueries(sql),
    points: new PointsQueries(sql, states, historyOf),
    leaderboards: new LeaderboardQueries(boards, sql, historyOf),
    close: async () => {
      await engine.close();
      await writer.close();
      await dataSource.destroy();
    },
  };
}
