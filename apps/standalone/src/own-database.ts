import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file in the data folder of a service that uses the operator's own database. */
const RECORD = 'laurel.database';

/** LAUREL_DATABASE_URL is missing, but the service has its data in the operator's own database. */
export class OwnDatabaseError extends Error {
  override readonly name = 'OwnDatabaseError';
}

/** Records the place of the data in the data folder. @throws the system's error if the file cannot be written. */
export async function recordOwnDatabase(folder: string, place: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, RECORD), `${place}\n`, { mode: 0o600 });
}

/**
 * Without LAUREL_DATABASE_URL, a service whose data is in the operator's database would start with an empty embedded
 * one.
 * @throws OwnDatabaseError if one of the folders belongs to a service with the operator's own database.
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
