import { constants, type Stats } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isErrno } from './embedded-postgres-error.ts';
import type { ServerAccount } from './run-program.ts';

/** Whether the account (null for this process's own) can pass `folder` and every folder above it. */
export async function isReachable(folder: string, account: ServerAccount | null): Promise<boolean> {
  return (await findBarrier(folder, account)) === null;
}

/**
 * The topmost folder on the path to `folder` (inclusive) that the account cannot pass, or null. Folders that do not exist yet do not count.
 * Ignores access control lists.
 */
export async function findBarrier(folder: string, account: ServerAccount | null): Promise<string | null> {
  if (account === null) return null;
  for (const ancestor of await existingAncestors(folder)) {
    if (!mayPass(await stat(ancestor), account)) return ancestor;
  }
  return null;
}

/**
 * The reason why this process cannot create or use the folder ("cannot be used: …"), with the remedy; null if it can. It asks the system, so
 * that a read-only file system is detected too.
 */
export async function findObstacle(folder: string): Promise<string | null> {
  const nearest = await nearestExisting(folder);
  if (nearest === null) return 'cannot be used: its name is too long. Set LAUREL_DATA_DIR to another folder.';
  const stats = await stat(nearest).catch(() => null);
  if (stats === null || !stats.isDirectory())
    return `cannot be used: ${nearest} is not a folder. Set LAUREL_DATA_DIR to a folder, one that exists or a new one.`;
  const error = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => null,
    (refused: Error) => refused,
  );
  if (error === null) return null;
  return (
    `cannot be used by user id ${process.geteuid?.()}, which may not write in ${nearest} (${error.message}). ` +
    `Set LAUREL_DATA_DIR to a folder that this user may write in, or start Laurel as the owner of that folder.`
  );
}

/**
 * `folder` or the lowest existing folder above it, as far as this process can see; a link counts, wherever it leads. null if the system does
 * not allow the name.
 */
async function nearestExisting(folder: string): Promise<string | null> {
  try {
    await lstat(folder);
    return folder;
  } catch (error) {
    if (isErrno(error, 'ENAMETOOLONG')) return null;
    if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) throw error;
    return nearestExisting(dirname(folder));
  }
}

async function existingAncestors(folder: string): Promise<string[]> {
  let nearest = folder;
  while ((await lstat(nearest).catch(() => null)) === null) nearest = dirname(nearest);
  const ancestors = [await realpath(nearest)];
  while (ancestors[0] !== dirname(ancestors[0] as string)) ancestors.unshift(dirname(ancestors[0] as string));
  return ancestors;
}

/** The account is started without supplementary groups. */
function mayPass(stats: Stats, account: ServerAccount): boolean {
  if (stats.uid === account.uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === account.gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}
