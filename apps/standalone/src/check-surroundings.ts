import { open, stat } from 'node:fs/promises';
import { pickDataDir } from '@laurel/embedded-postgres/data-dir';
import { checkPort, dataFolders, type Environment } from '@laurel/runtime/surroundings';
import { refuseIfOwnDatabase } from './own-database.ts';

/** The file of LAUREL_CONFIG cannot be read. */
export class ConfigurationFileError extends Error {
  override readonly name = 'ConfigurationFileError';
}

/**
 * Checks the port, the files and the folders that a start needs. Changes nothing.
 * @throws PortError, ConfigurationFileError, OwnDatabaseError, or EmbeddedPostgresError if the data folder cannot be used; each says what to
 * change.
 */
export async function checkSurroundings(environment: Environment): Promise<void> {
  await checkPort(environment);
  if (environment.config !== null) await checkFile(environment.config);
  if (environment.databaseUrl !== null) return;
  // Checked first, because a service with its own database needs no folder that can contain one.
  const folders = dataFolders(environment);
  await refuseIfOwnDatabase(folders);
  await pickDataDir(...folders);
}

async function checkFile(path: string): Promise<void> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => true,
  );
  // A pipe can be read only once, so it is not checked.
  if (!isFile) return;
  const file = await open(path).catch((error: Error) => {
    throw new ConfigurationFileError(`LAUREL_CONFIG ${path} cannot be read: ${error.message}`);
  });
  await file.close();
}
