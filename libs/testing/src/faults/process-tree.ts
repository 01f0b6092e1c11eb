import { spawnSync } from 'node:child_process';

/** A process and all its descendants, parents first. Postgres is such a tree, with one process per connection. */
export function processTree(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [pid];
  for (const parent of tree) for (const [child, of] of rows) if (of === parent && child !== undefined) tree.push(child);
  return tree;
}

/** Sends a signal to a process and all its descendants; processes that have ended meanwhile are left out. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  // Parents first: a stopped parent starts no more children.
  for (const each of processTree(pid)) signalProcess(each, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Stops a process and its descendants for `ms`: they keep their connections, but do not answer. */
export async function freezeFor(pid: number, ms: number): Promise<void> {
  signalTree(pid, 'SIGSTOP');
  try {
    await new Promise((resolve) => setTimeout(resolve, ms));
  } finally {
    signalTree(pid, 'SIGCONT');
  }
}
