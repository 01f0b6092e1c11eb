import { AchievementQueries } from '@laurel/achievements';
import { compileHistory } from '@laurel/configuration';
import type { ConfigurationHistory, SqlReader } from '@laurel/contracts';
import { dataSourceOf, parseDatabaseUrl, sqlReader, type ConnectionOptions } from '@laurel/database';
import { inspectEmbeddedPostgres, startEmbeddedPostgres } from '@laurel/embedded-postgres';
import { PostgresLogReader } from '@laurel/event-store';
import { LeaderboardQueries, LeaderboardsArea } from '@laurel/leaderboards';
import { PointsQueries } from '@laurel/points';
import { postgresStateReader, type Publication } from '@laurel/projections';
import { StreakQueries } from '@laurel/streaks';
import { UserQueries } from '@laurel/users';
import { CommandError } from '../command-error.ts';

/** The read side of every area, straight from the database. */
export interface ReadModels {
  readonly sql: SqlReader;
  readonly users: UserQueries;
  readonly streaks: StreakQueries;
  readonly achievements: AchievementQueries;
  readonly points: PointsQueries;
  readonly leaderboards: LeaderboardQueries;
  close(): Promise<void>;
}

/** Reads beside a running service, or on its own while none runs. @throws CommandError with exit code 2 if there is no data. */
export async function openReadModels(
  databaseUrl: string | null,
  dataDir: string,
  account: string,
): Promise<ReadModels> {
  const database =
    databaseUrl === null
      ? await openDataFolder(dataDir)
      : { connection: parseDatabaseUrl(databaseUrl), close: () => Promise.resolve() };
  const dataSource = await dataSourceOf(database.connection, []).initialize();
  const sql = sqlReader(dataSource);
  const history = await readHistory(sql, account);
  const historyOf = (): ConfigurationHistory => history;
  const states = postgresStateReader(sql);
  return {
    sql,
    users: new UserQueries(sql, states),
    streaks: new StreakQueries(sql, states, historyOf),
    achievements: new AchievementQueries(sql),
    points: new PointsQueries(sql, states, historyOf),
    leaderboards: new LeaderboardQueries(new LeaderboardsArea(sql), sql, historyOf),
    close: async () => {
      await dataSource.destroy();
      await database.close();
    },
  };
}

async function openDataFolder(dataDir: string): Promise<{ connection: ConnectionOptions; close: () => Promise<void> }> {
  const found = await inspectEmbeddedPostgres(dataDir);
  switch (found.state) {
    case 'absent':
      throw new CommandError(
        2,
        `${dataDir} holds no data; LAUREL_DATA_DIR, LAUREL_DATABASE_URL and LAUREL_CONFIG must be as the service has them`,
      );
    case 'running':
      return { connection: found.connection, close: () => Promise.resolve() };
    case 'stopped': {
      const server = await startEmbeddedPostgres({ dataDir });
      return { connection: server.connection, close: () => server.stop() };
    }
  }
}

async function readHistory(sql: SqlReader, account: string): Promise<ConfigurationHistory> {
  const facts = await new PostgresLogReader(sql).readAccountFacts(account);
  const publications = facts.flatMap(({ fact, occurredAt }): Publication[] =>
    fact.type === 'ConfigurationPublished'
      ? [{ version: fact.version, document: fact.document, publishedAt: occurredAt }]
      : [],
  );
  if (publications.length === 0) throw new CommandError(2, 'no configuration has been published to this database yet');
  return compileHistory(account, publications);
}
