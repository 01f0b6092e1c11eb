import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from './embedded-postgres-error.ts';
import { isAlive } from './server-processes.ts';

/**
 * Keeps a `postmaster.pid` that a dead server left from refusing the next one. To be called under the folder's lock, when
 * no process of a server is left: whatever process the file names now is a stranger that got the same number.
 *
 * A number that lives is replaced by ours. The new server takes its parent's number for stale, but still reads the rest
 * of the file and checks that nobody holds the old shared memory: a check that removing the file would lose.
 */
export async function disarmPidFile(pgData: string): Promise<void> {
  const path = join(pgData, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  });
  if (text === null) return;
  const pid = pidIn(text);
  // Empty or garbage (a crash while it was written): the server would refuse it, and there is nothing in it to check.
  if (pid === null) return rm(path, { force: true });
  if (isAlive(pid)) await writeFile(path, text.replace(/^\s*\d+/, String(process.pid)));
}

const MAX_PID = 2 ** 31 - 1;

function pidIn(text: string): number | null {
  const pid = Number(/^\s*(\d+)\s*(\n|$)/.exec(text)?.[1] ?? Number.NaN);
  return pid > 0 && pid <= MAX_PID ? pid : null;
}
