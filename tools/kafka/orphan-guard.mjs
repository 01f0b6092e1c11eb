import { spawn } from 'node:child_process';

/**
 * The shell waits for the end of a pipe that only the caller's process holds open. It signals only if the process of that
 * id is still the one whose command line names `mark`: the number may have gone to somebody else.
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
 * Ends a process that was started here when this process dies without ending it, and removes the folder, if one is given.
 * @param {{ pid: number | undefined, mark: string, folder: string | null }} what
 * @returns {{ dismiss(): void }} `dismiss`: the process is gone, the guard goes without a word
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
