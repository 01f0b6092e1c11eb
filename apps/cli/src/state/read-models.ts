import { ACCOUNT, type ConfigurationHistory, type SqlReader } from '@laurel/kernel';
import { countEvents, type ReadModels } from '@laurel/exports';
import { openReads } from '@laurel/all-areas';
import { compileHistory } from '@laurel/configuration';
import type { Directory } from '@laurel/ports';
import { dataSourceOf, sqlReader, type ConnectionOptions } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { PostgresLogReader } from '@laurel/event-store';
import { LeaderboardsArea } from '@laurel/leaderboards';
import { publicationsIn } from '@laurel/engine';
import { CommandError } from '../command-error.ts';

/**
 * Reads directly from the database, even while the service runs. @throws CommandError with exit code 2 if the database
 * is empty.
 */
export async function withReadModels<T>(
  connection: ConnectionOptions,
  work: (models: ReadModels) => Promise<T>,
): Promise<T> {
  const dataSource = await dataSourceOf(connection, []).initialize();
  try {
    const sql = sqlReader(dataSource);
    const directory = new PostgresDirectory(sql);
    const history = await readHistory(sql, directory);
    return await work({
      ...openReads(sql, new LeaderboardsArea(sql), () => history),
      directory,
      countEvents: () => countEvents(sql),
    });
  } finally {
    await dataSource.destroy();
  }
}

async function readHistory(sql: SqlReader, directory: Directory): Promise<ConfigurationHistory> {
  const facts = await new PostgresLogReader(sql, directory).readAccountEvents(ACCOUNT, ['ConfigurationPublished']);
  const publications = publicationsIn(facts);
  if (publications.length === 0) throw new CommandError(2, 'no configuration has been published to this database yet');
  return compileHistory(ACCOUNT, publications);
}
