import { spawn } from 'node:child_process';

/**
 * The shell waits for the end of a pipe that only the caller's process holds open. It signals the process only if its
 * command line still contains `mark`: another process may have got the same id.
 */
const WAIT = `
lives() { ps -o command= -p "$1" 2>/dev/null | grep -F -q -- "$2"; }
read -r line && exit 0
lives "$@" && kill -s KILL "$1"
[ -n "$3" ] || exit 0
tries=0
while lives "$@" && [ "$tries" -lt 100 ]; do tries=$((tries + 1)); sleep 0.1; done
rm -rf -- "$3"
`;

/**
 * Ends a process that this process has started if this process dies without ending it. Then removes the folder, if one
 * is given.
 *
 * @param {{ pid: number | undefined, mark: string, folder: string | null }} what
 * @returns {{ dismiss(): void }} `dismiss`: call it when the process has ended; the guard then ends without doing
 *   anything
 */
export function guardAgainstOrphan({ pid, mark, folder }) {
  if (pid === undefined) return { dismiss: () => undefined };
  const guard = spawn('sh', ['-c', WAIT, 'laurel-orphan-guard', String(pid), mark, folder ?? ''], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  guard.stdin.unref();
  return { dismiss: () => void guard.stdin.end('gone\n') };
}
