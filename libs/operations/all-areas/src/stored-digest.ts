import { compileHistory } from '@laurel/configuration';
import { NO_NAMES, type ConfiguredNames } from '@laurel/kernel';
import { clientConfig, dataSourceOf, sqlReader, type ConnectionOptions } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { PostgresLogReader } from '@laurel/event-store';
import { type Digest, digestOf, publicationsIn } from '@laurel/engine';
import { DIGESTED_AREAS } from './digested-areas.ts';

/** The digest of a standalone database, whether or not the service runs. @throws Error of the driver if it cannot be reached */
export const storedDigest = async (connection: ConnectionOptions, account: string): Promise<Digest> =>
  digestOf(clientConfig(connection), { account, areas: DIGESTED_AREAS, names: await storedNames(connection, account) });

/** The names in all published versions, from the log in the schema of the connection. */
export async function storedNames(connection: ConnectionOptions, account: string): Promise<ConfiguredNames> {
  const dataSource = await dataSourceOf(connection, []).initialize();
  try {
    const sql = sqlReader(dataSource);
    const log = new PostgresLogReader(sql, new PostgresDirectory(sql));
    const publications = publicationsIn(await log.readAccountEvents(account, ['ConfigurationPublished']));
    return publications.length === 0 ? NO_NAMES : compileHistory(account, publications).current.names;
  } finally {
    await dataSource.destroy();
  }
}
