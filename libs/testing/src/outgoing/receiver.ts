import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../faults/tools.ts';
import type { Arrival } from './judge.ts';

const PROGRAM = fileURLToPath(new URL('../../src/outgoing/receiver.mjs', import.meta.url));

/**
 * The process of `receiver.mjs`. When it ends or is killed, another one that is already started takes over on the same
 * port. Starting one only then would take seconds on a busy machine, and an outcome that reaches no receiver ten times
 * is abandoned.
 */
export class Receiver {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #seed: number;
  readonly #secrets: Record<string, string> = {};
  readonly #arrivals: Arrival[] = [];
  #read = 0;
  #process: ChildProcess | null = null;
  /** The process that takes over next. */
  #next: Promise<ChildProcess> | null = null;
  #starting: Promise<void> = Promise.resolve();
  #stopped = false;

  private constructor(folder: string, port: number, seed: number) {
    this.#folder = folder;
    this.#port = port;
    this.#seed = seed;
    this.url = `http://127.0.0.1:${port}`;
    this.expect({});
    closeSync(openSync(this.#file, 'a'));
  }

  /** @param seed determines how it answers */
  static async start(folder: string, seed: number): Promise<Receiver> {
    const receiver = new Receiver(folder, await freePort(), seed);
    await receiver.#run();
    return receiver;
  }

  /** From now on, verifies requests to these paths with these secrets. */
  expect(secrets: Readonly<Record<string, string>>): void {
    Object.assign(this.#secrets, secrets);
    writeFileSync(join(this.#folder, 'secrets.json'), JSON.stringify(this.#secrets));
  }

  /** All requests that have arrived so far, in order. */
  arrivals(): readonly Arrival[] {
    const file = openSync(this.#file, 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#read);
      readSync(file, bytes, 0, bytes.length, this.#read);
      // The last line may be incomplete; the next read begins with it.
      const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
      this.#read += whole.length;
      for (const line of whole.toString('utf8').split('\n').slice(0, -1))
        this.#arrivals.push(JSON.parse(line) as Arrival);
    } finally {
      closeSync(file);
    }
    return this.#arrivals;
  }

  /** Kills it with SIGKILL. Resolves when the next one listens. */
  async kill(): Promise<void> {
    await this.#starting;
    const running = this.#process;
    if (running === null) return;
    running.kill('SIGKILL');
    if (!hasEnded(running)) await once(running, 'exit');
    await this.#starting;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.kill();
    (await this.#next)?.kill('SIGKILL');
  }

  get #file(): string {
    return join(this.#folder, 'arrivals.ndjson');
  }

  #run(): Promise<void> {
    this.#starting = this.#takeOver(this.#next ?? this.#prepare());
    return this.#starting;
  }

  async #takeOver(next: Promise<ChildProcess>): Promise<void> {
    const prepared = await next;
    const started = hasEnded(prepared) ? await this.#prepare() : prepared;
    this.#process = started;
    this.#next = this.#prepare();
    started.once('exit', () => {
      if (!this.#stopped) void this.#run();
    });
    started.stdin?.write('listen\n');
    await outputOf(started);
  }

  async #prepare(): Promise<ChildProcess> {
    const started = spawn(process.execPath, [PROGRAM, this.#folder, String(this.#port), String(this.#seed)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    started.stdin.on('error', () => undefined);
    await outputOf(started);
    return started;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Resolves once a process prints something, or ends. */
const outputOf = async (started: ChildProcess): Promise<void> => {
  if (hasEnded(started) || started.stdout === null) return;
  await Promise.race([once(started.stdout, 'data'), once(started, 'exit')]);
};
