import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the data folder of a service that has its data in a database of the operator's own. */
const RECORD = 'laurel.database';

/** The environment has lost the variable that names the service's database. */
export class OwnDatabaseError extends Error {
  override readonly name = 'OwnDatabaseError';
}

/** Notes in the data folder where the data is, for people. @throws the system's error if it cannot be written. */
export async function recordOwnDatabase(folder: string, place: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, RECORD), `${place}\n`, { mode: 0o600 });
}

/**
 * A service whose environment has lost LAUREL_DATABASE_URL would go on with an embedded database, without anybody's data.
 * @throws OwnDatabaseError if one of the folders is that of a service with a database of the operator's own.
 */
export async function refuseIfOwnDatabase(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const path = join(folder, RECORD);
    const place = await readFile(path, 'utf8').catch(() => null);
    if (place !== null)
      throw new OwnDatabaseError(
        `LAUREL_DATABASE_URL is not set, but the service of ${folder} has its data in ${place.trim()}: set it; ` +
          `to start with the embedded database there instead, remove ${path}`,
      );
  }
}
