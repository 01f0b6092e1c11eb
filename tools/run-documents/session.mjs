import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { start, stop, waitUntil } from '../processes.mjs';

const COMMANDS_WITHIN_MS = 15 * 60_000;
const BANNER_WITHIN_MS = 10 * 60_000;
const STOPPED_WITHIN_MS = 60_000;

/** Reports each command that fails, even if others follow it, by its first line. */
const TRAP = String.raw`trap 'echo "failed $? ${'$'}{BASH_COMMAND%%[[:cntrl:]]*}" >&3' ERR`;

/** The sessions that are still open. Code that ends this process early must close them first. */
export const openSessions = new Set();

/**
 * A shell that runs the commands of a document one after the other, as in one terminal: exported variables and the
 * current folder are kept. The service runs in a second terminal with the same environment.
 *
 * @typedef {{ stdout: string, stderr: string, status: number, failed: { status: number, command: string }[] }} Outcome
 *   `failed`: every command that ended with another code than 0, unless the shell evaluates the code itself; `status`:
 *   the code of the last command
 */
export class Session {
  #folder;
  #shell;
  #reports;
  #service = null;
  #count = 0;

  /** @param folder for files of the session */
  constructor(folder, { cwd, env }) {
    this.#folder = folder;
    const stdio = ['pipe', 'inherit', 'inherit', 'pipe'];
    this.#shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio, detached: true });
    openSessions.add(this);
    this.#reports = createInterface({ input: this.#shell.stdio[3] })[Symbol.asyncIterator]();
  }

  /** @returns {Promise<Outcome>} @throws {Error} if it takes too long */
  async run(text) {
    const [script, out, err] = this.#files('sh', 'out', 'err');
    writeFileSync(script, text);
    this.#write(`${TRAP}\n`);
    this.#write(`. '${script}' </dev/null >'${out}' 2>'${err}'; { echo "status $?"; trap - ERR; } >&3\n`);
    const failed = [];
    for (;;) {
      const [, kind, status, command] = /^(\w+) (\d+) ?(.*)$/.exec(await this.#report()) ?? [];
      if (kind === 'failed') failed.push({ status: Number(status), command });
      else
        return {
          ...printed(out, err),
          status: Number(status),
          failed: failed.filter((one) => !one.command.startsWith('. ')),
        };
    }
  }

  /**
   * Runs `npm start`, and waits until the service has printed its whole banner or has ended.
   *
   * @returns {Promise<Outcome>}
   */
  async startService(command) {
    if (this.#service && !this.#service.hasEnded())
      throw new Error('the service runs: a document ends it with "# Ctrl-C"');
    const [surroundings, log] = this.#files('env', 'log');
    await this.run(`{ pwd; env -0; } >'${surroundings}'`);
    const [cwd, variables] = splitOnce(readFileSync(surroundings, 'utf8'), '\n');
    const env = Object.fromEntries(
      variables
        .split('\0')
        .filter(Boolean)
        .map((one) => splitOnce(one, '=')),
    );
    this.#service = start(command, 'bash', ['-c', command], { cwd, env, log });
    const program = this.#service;
    const isPresent = () => program.hasEnded() || /^curl .*\n/m.test(readFileSync(log, 'utf8'));
    await waitUntil(isPresent, 'the banner', { limitMs: BANNER_WITHIN_MS });
    if (!program.hasEnded()) return { ...printed(log), status: 0, failed: [] };
    const status = Number(await program.ended);
    return { ...printed(log), status, failed: status === 0 ? [] : [{ status, command }] };
  }

  /**
   * Stops the service like Ctrl-C in its terminal; does nothing if no service runs.
   *
   * @throws {Error} if it does not end
   */
  async stopService() {
    const program = this.#service;
    this.#service = null;
    if (program && !program.hasEnded()) await stop(program, { limitMs: STOPPED_WITHIN_MS });
  }

  /** Ends every program that the document has started. */
  async close() {
    openSessions.delete(this);
    await this.stopService();
    this.#shell.stdin.end();
    await stop({ pid: this.#shell.pid, name: 'the shell' }, { limitMs: STOPPED_WITHIN_MS });
  }

  #files(...extensions) {
    this.#count++;
    return extensions.map((extension) => join(this.#folder, `${this.#count}.${extension}`));
  }

  #write(line) {
    this.#shell.stdin.write(line);
  }

  async #report() {
    let timer;
    const late = new Promise((_resolve, reject) => {
      const fail = () => reject(new Error(`not done within ${COMMANDS_WITHIN_MS / 1000} s`));
      timer = setTimeout(fail, COMMANDS_WITHIN_MS);
    });
    const { value, done } = await Promise.race([this.#reports.next(), late]).finally(() => clearTimeout(timer));
    if (done) throw new Error('the shell has ended');
    return value;
  }
}

const printed = (out, err) => ({ stdout: textOf(out), stderr: err ? textOf(err) : '' });
const textOf = (file) => (existsSync(file) ? stripVTControlCharacters(readFileSync(file, 'utf8')) : '');

function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}
