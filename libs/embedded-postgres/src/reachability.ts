import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Stats } from 'node:fs';
import type { ServerAccount } from './run-program.ts';

/** True if the account (null: this process's own) can pass every folder on the way to `folder`, and it. */
export async function isReachable(folder: string, account: ServerAccount | null): Promise<boolean> {
  return (await findBarrier(folder, account)) === null;
}

/**
 * The topmost folder on the way to `folder` (itself included) that the account cannot pass, or null.
 * Folders that do not exist yet are no barrier. Access lists beyond the mode bits are not seen.
 */
export async function findBarrier(folder: string, account: ServerAccount | null): Promise<string | null> {
  if (account === null) return null;
  for (const ancestor of await existingAncestors(folder)) {
    if (!mayPass(await stat(ancestor), account)) return ancestor;
  }
  return null;
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
