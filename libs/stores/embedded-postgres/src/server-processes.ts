import { readFile, readdir, readlink, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, isErrno } from './embedded-postgres-error.ts';
import { runProgram } from './run-program.ts';

const PROGRAMS = ['postgres', 'initdb'];

/**
 * Finds the processes of this cluster by their program and working folder, which the system reports, never by a pid file. Zombies do not
 * count.
 */
export async function findServerProcesses(pgData: string): Promise<number[]> {
  return process.platform === 'linux' ? findByWorkingFolder(pgData) : findByCommandLine(pgData);
}

async function findByWorkingFolder(pgData: string): Promise<number[]> {
  const cluster = await stat(pgData).catch(() => null);
  if (cluster === null) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const matches = await Promise.all(pids.map((pid) => worksIn(pid, cluster)));
  return pids.filter((_, index) => matches[index]).map(Number);
}

async function worksIn(pid: string, cluster: { readonly dev: number; readonly ino: number }): Promise<boolean> {
  try {
    const folder = await stat(`/proc/${pid}/cwd`);
    if (folder.dev !== cluster.dev || folder.ino !== cluster.ino) return false;
    return PROGRAMS.includes(basename(await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, ''));
  } catch {
    return false; // The process has ended meanwhile, or cannot be read.
  }
}

/** On other systems, finds only the postmaster, by the command line with which Laurel starts it. */
async function findByCommandLine(pgData: string): Promise<number[]> {
  const { output } = await runProgram('ps', ['-axww', '-o', 'pid=,command=']);
  return output.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return command?.includes(`/postgres -D ${pgData} -c `) ? [Number(pid)] : [];
  });
}

/** Ends a server that was left behind, first gently, then by force. Resolves when all its processes have ended. */
export async function stopServerProcesses(pgData: string, log: (message: string) => void): Promise<void> {
  let left = await findServerProcesses(pgData);
  if (left.length === 0) return;
  log(`stopping a database server left behind in ${pgData} (processes ${left.join(', ')})`);
  const steps = [
    { signal: 'SIGINT', patienceMs: 60_000 },
    { signal: 'SIGQUIT', patienceMs: 10_000 },
    { signal: 'SIGKILL', patienceMs: 10_000 },
  ] as const;
  for (const { signal, patienceMs } of steps) {
    for (const pid of await firstProcesses(left)) sendSignal(pid, signal);
    left = await waitUntilGone(pgData, patienceMs);
    if (left.length === 0) return;
  }
  throw new EmbeddedPostgresError(`A database server in ${pgData} (processes ${left.join(', ')}) does not stop.`);
}

/** The processes whose parent is not among them: the postmaster or, if it has ended, its former children. */
async function firstProcesses(pids: readonly number[]): Promise<number[]> {
  if (process.platform !== 'linux') return [...pids];
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, index) => !pids.includes(parents[index] as number));
}

async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The command name, in parentheses, may itself contain spaces and parentheses.
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

async function waitUntilGone(pgData: string, patienceMs: number): Promise<number[]> {
  const pauseMs = 20;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const left = await findServerProcesses(pgData);
    if (left.length === 0 || waitedMs >= patienceMs) return left;
    await delay(pauseMs);
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}
