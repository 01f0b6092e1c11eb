import { spawn } from 'node:child_process';
import { programEnvironment, spawnIdentity } from './run-program.ts';
import type { Installation } from './initialise.ts';

/**
 * Ends the server if this process dies without ending it: a shell waits for the end of a pipe that only this process holds open. It signals
 * only if the cluster's pid file still names the server. Without a shell there is no guard; the next start then ends the server.
 */
export interface OrphanGuard {
  readonly pid: number | undefined;
  /** Ends the guard, because the server has ended. */
  dismiss(): void;
}

const WAIT = `
named() { [ "$(head -n 1 "$2/postmaster.pid" 2>/dev/null)" = "$1" ]; }
read -r line && exit 0
named "$@" && kill -s "$3" "$1"
`;
/** Also removes the data folder. */
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
  // A throwaway server need not flush anything.
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
