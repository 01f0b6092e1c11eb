import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from './embedded-postgres-error.ts';
import { isAlive } from './server-processes.ts';

/**
 * Prevents the `postmaster.pid` of a dead server from blocking the next one. Call it under the folder's lock, when no server process is left:
 * a living process with the same number is then unrelated.
 *
 * The number of a living process is replaced by that of this process. The new server treats its parent's number as stale, but still reads the
 * rest of the file and checks that no process uses the old shared memory. Removing the file would skip this check.
 */
export async function disarmPidFile(pgData: string): Promise<void> {
  const path = join(pgData, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  });
  if (text === null) return;
  const pid = pidIn(text);
  // Empty or garbage after a crash during the write: the server would refuse it, and it contains nothing to check.
  if (pid === null) return rm(path, { force: true });
  if (isAlive(pid)) await writeFile(path, text.replace(/^\s*\d+/, String(process.pid)));
}

const MAX_PID = 2 ** 31 - 1;

function pidIn(text: string): number | null {
  const pid = Number(/^\s*(\d+)\s*(\n|$)/.exec(text)?.[1] ?? Number.NaN);
  return pid > 0 && pid <= MAX_PID ? pid : null;
}
