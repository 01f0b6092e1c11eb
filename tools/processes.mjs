import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PORT = 15_000;
const PORTS = 15_000;
/**
 * Where the search for a port continues. A server may not listen yet on a port that was returned, so no port is
 * returned twice.
 */
let next = Math.floor(Math.random() * PORTS);

/**
 * Returns a port that nobody listens on, a different one at each call. It is below the range that systems use for
 * outgoing connections: while a server is down for a restart, such a connection could take its port.
 */
export async function freePort() {
  for (;;) {
    const port = FIRST_PORT + next;
    next = (next + 1) % PORTS;
    if (await isFree(port)) return port;
  }
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

const LAST_CHARACTERS = 4_000;

/**
 * Starts a program as the leader of its own process group, so that it can be ended together with everything that it
 * starts. Its output is appended to `log`.
 *
 * @returns {{ pid: number, name: string, log: string, ended: Promise<number | string>, hasEnded: () => boolean }}
 *   `ended`: exit code or signal
 */
export function start(name, command, args, { log, ...options }) {
  const output = openSync(log, 'a');
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', output, output] });
  let over = false;
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      over = true;
      resolve(code ?? signal);
    });
  });
  return { pid: child.pid, name, log, ended, hasEnded: () => over };
}

/** @throws {Error} if the program ends first or `limitMs` pass, with the last lines of its output */
export async function waitUntil(condition, what, { limitMs, program }) {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (program?.hasEnded())
      throw new Error(`${program.name} ended before ${what}: ${await program.ended}${lastPrinted(program)}`);
    if (performance.now() > deadline)
      throw new Error(`${what}: not within ${limitMs / 1000} s${program ? lastPrinted(program) : ''}`);
    await sleep(100);
  }
}

const lastPrinted = ({ log }) => `\n${readFileSync(log, 'utf8').slice(-LAST_CHARACTERS)}`;

export const isReady = (url) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok, body }) => body?.cancel().then(() => ok) ?? ok,
    () => false,
  );

/** Sends a signal to a process or, with a negative id, to a process group. Returns false if it does not exist. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Whether a process of the group is alive. Zombies do not count: in many containers nobody removes them from the list
 * of processes.
 */
function groupLives(pid) {
  const { stdout } = spawnSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' });
  const members = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return members.some(([group, state]) => Number(group) === pid && !state.startsWith('Z'));
}

/**
 * Asks the program and all that it started to stop. Like a terminal, it signals the whole group: npm passes a signal on
 * only to a shell, which ignores it.
 *
 * @throws {Error} if some of the processes still run after `limitMs`; they are killed
 */
export async function stop(program, { limitMs }) {
  signal(-program.pid, 'SIGTERM');
  try {
    await waitUntil(() => !groupLives(program.pid), `the end of ${program.name} and all that it started`, { limitMs });
  } catch (error) {
    signal(-program.pid, 'SIGKILL');
    throw error;
  }
}
