import { spawn } from 'node:child_process';
import { programEnvironment, spawnIdentity } from './run-program.ts';
import type { Installation } from './initialise.ts';

/**
 * Ends the server when this process dies without ending it: a shell waits for the end of a pipe that only we hold open.
 * It signals only if the cluster's pid file still names that server. Where there is no shell nothing is guarded; the next
 * start finds the server and ends it.
 */
export interface OrphanGuard {
  readonly pid: number | undefined;
  /** The server is gone; the guard goes without a word. */
  dismiss(): void;
}

const WAIT = `
named() { [ "$(head -n 1 "$2/postmaster.pid" 2>/dev/null)" = "$1" ]; }
read -r line && exit 0
named "$@" && kill -s "$3" "$1"
`;
/** A throwaway folder goes with its process. */
const WAIT_AND_REMOVE = `${WAIT}
tries=0
while named "$@" && kill -0 "$1" 2>/dev/null && [ "$tries" -lt 300 ]; do tries=$((tries + 1)); sleep 0.1; done
rm -rf -- "$4"
`;

export function guardAgainstOrphan(
  { folder, account }: Installation,
  serverPid: number,
  removeRoot: boolean,
): OrphanGuard {
  const script = removeRoot ? WAIT_AND_REMOVE : WAIT;
  // A throwaway server need not write anything down any more.
  const signal = removeRoot ? 'QUIT' : 'INT';
  const guard = spawn(
    'sh',
    ['-c', script, 'laurel-orphan-guard', String(serverPid), folder.pgData, signal, folder.root],
    {
      ...(removeRoot ? {} : spawnIdentity(account)),
      cwd: '/',
      env: programEnvironment(),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  const ignore = (): void => undefined;
  guard.on('error', ignore);
  guard.stdin.on('error', ignore);
  guard.unref();
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
  return { pid: guard.pid, dismiss: () => void guard.stdin.end('gone\n') };
}
