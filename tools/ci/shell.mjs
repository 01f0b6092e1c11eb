import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { signal, start, stop, waitUntil } from '../processes.mjs';

/** Runs a command and writes its processor time, in seconds, into the file `$0`. */
const TIMED = String.raw`"$@"; code=$?; times >"$0"; exit $code`;
const STOPPED_WITHIN_MS = 90_000;

/** The programs of a CI run. Each is the leader of a process group, so that no program outlives the run. */
export class Shell {
  #groups = new Set();
  #servers = new Map();
  #count = 0;

  /** @param folder for small files of this class */
  constructor(folder) {
    this.folder = folder;
  }

  /**
   * Runs a command until it ends, and appends its output to `log`.
   *
   * @param {string} log path
   * @param {readonly string[]} command
   * @param {{ cwd?: string, env?: object, withinS: number, expect?: number }} options `expect`: the exit code that is a
   *   success
   * @returns {Promise<number>} seconds of processor time, of the command and of all that it started and waited for
   * @throws {Error} if the command ends with another code, by a signal, or not in time
   */
  async run(log, command, { cwd, env, withinS, expect = 0 }) {
    const times = `${this.folder}/times-${(this.#count += 1)}`;
    const output = openSync(log, 'a');
    const child = spawn('bash', ['-c', TIMED, times, ...command], {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.#groups.add(child.pid);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      signal(-child.pid, 'SIGTERM');
      setTimeout(() => signal(-child.pid, 'SIGKILL'), STOPPED_WITHIN_MS).unref();
    }, withinS * 1_000);
    const [code, by] = await once(child, 'exit');
    clearTimeout(timer);
    this.#groups.delete(child.pid);
    if (late) throw new Error(`not through within ${withinS} s`);
    if (code !== expect) throw new Error(`exit code ${expect} expected, got ${code ?? by}`);
    return secondsIn(times);
  }

  /** Starts a program that runs until `stopServer`; resolves when `isReady` returns true. */
  async startServer(name, command, { env, log, withinS, isReady }) {
    const program = start(name, command[0], command.slice(1), { log, env: { ...process.env, ...env } });
    this.#servers.set(name, program);
    await waitUntil(isReady, 'it was ready', { limitMs: withinS * 1_000, program });
  }

  /** @throws {Error} if the program has ended by itself, or does not end when asked */
  async stopServer(name) {
    const program = this.#servers.get(name);
    if (program === undefined) throw new Error(`${name} was not started`);
    this.#servers.delete(name);
    if (program.hasEnded()) throw new Error(`${name} has ended by itself: ${await program.ended}`);
    await stop(program, { limitMs: STOPPED_WITHIN_MS });
  }

  /** Ends all programs that still run. */
  async end() {
    for (const pid of this.#groups) signal(-pid, 'SIGTERM');
    await Promise.allSettled([...this.#servers.keys()].map((name) => this.stopServer(name)));
  }
}

/** `times` prints a line for the shell and one for its children: `0m1.000s 0m0.500s`, user and system. */
function secondsIn(file) {
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  const spent = [...text.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  return spent.reduce((sum, seconds) => sum + seconds, 0);
}
