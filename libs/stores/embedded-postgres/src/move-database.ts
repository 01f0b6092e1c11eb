import { readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dataFolderAt, dropSocketDir, exists, type DataFolder } from './data-folder.ts';
import { copyDurably, syncFolder, writeDurably } from './durable-files.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { lockFolder } from './folder-lock.ts';
import { stopServerProcesses } from './server-processes.ts';

export interface Move {
  /** A data folder inside the target folder. */
  readonly from: string;
  readonly to: string;
  /** Names of files that the database needs beside it. */
  readonly beside: readonly string[];
  /** Names of files that are removed with the former folder. */
  readonly dropped: readonly string[];
  readonly log: (message: string) => void;
}

/**
 * Moves the database of a data folder into the data folder around it, if that has none. It first copies the files that the database needs,
 * then moves the database by one rename. A process that is killed at any point leaves the database complete in one of the two folders, and
 * the next call continues from there.
 *
 * @throws DataFolderInUseError if a living process uses one of the folders
 * @throws EmbeddedPostgresError, with the remedy, if it cannot be moved
 */
export async function moveDatabase(move: Move): Promise<void> {
  const [source, target] = [await dataFolderAt(move.from), await dataFolderAt(move.to)];
  try {
    if (!(await isDue(source, target))) return;
    await locked(target, () => locked(source, () => moveLocked(source, target, move)));
    await rmdir(source.root).catch(() => undefined);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(
      `The database in ${source.pgData} cannot be moved to ${target.pgData} (${(error as Error).message}). ` +
        `Move it yourself while no Laurel runs, or set LAUREL_DATA_DIR to ${source.root}.`,
    );
  }
}

/** Checks the target first, so that the source is read only if necessary. */
const isDue = async (source: DataFolder, target: DataFolder): Promise<boolean> =>
  !(await exists(target.pgData)) && (await exists(join(source.pgData, 'PG_VERSION'))) && !(await exists(source.kept));

/** Makes {@link moveDatabase} leave the database in this folder, because an operator has chosen it. */
export async function keepInPlace(dataDir: string): Promise<void> {
  const { kept } = await dataFolderAt(dataDir);
  if (!(await exists(kept))) await writeDurably(kept, 'The data in this folder belongs here.\n');
}

export const isKeptInPlace = async (dataDir: string): Promise<boolean> => exists((await dataFolderAt(dataDir)).kept);

async function locked(folder: DataFolder, work: () => Promise<void>): Promise<void> {
  const lock = await lockFolder(folder.root, folder.lock);
  try {
    await work();
  } finally {
    await lock.release();
  }
}

async function moveLocked(source: DataFolder, target: DataFolder, { beside, dropped, log }: Move): Promise<void> {
  if (!(await isDue(source, target))) return;
  await stopServerProcesses(source.pgData, log);
  for (const name of beside) await refuseIfDifferent(source, target, name);
  const needed = [basename(source.password), ...beside];
  for (const name of needed) await copyWhole(join(source.root, name), join(target.root, name));
  await syncFolder(target.root);
  await rename(source.pgData, target.pgData);
  await syncFolder(target.root);
  await syncFolder(source.root);
  log(`the database of ${source.root} was moved to ${target.root}`);
  if (!(await exists(target.log))) await rename(source.log, target.log).catch(() => undefined);
  await dropSocketDir(source);
  for (const name of [...needed, ...dropped]) await rm(join(source.root, name), { force: true });
  for (const path of [source.log, source.socketDir, source.binaries, source.lock])
    await rm(path, { recursive: true, force: true });
}

async function refuseIfDifferent(source: DataFolder, target: DataFolder, name: string): Promise<void> {
  const [needed, other] = [join(source.root, name), join(target.root, name)];
  const [inSource, inTarget] = await Promise.all([needed, other].map((path) => readFile(path).catch(() => null)));
  if (!inSource || !inTarget || inSource.equals(inTarget)) return;
  throw new EmbeddedPostgresError(
    `The database in ${source.pgData} is to be moved to ${target.root} and needs ${needed}, but ${other} is another one. ` +
      `Move ${other} away.`,
  );
}

/** The copy gets its name only when it is complete. */
async function copyWhole(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  const draft = `${to}.draft`;
  await rm(draft, { force: true });
  await copyDurably(from, draft);
  await rename(draft, to);
}
