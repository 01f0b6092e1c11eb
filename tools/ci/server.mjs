import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freePort, isReady } from '../processes.mjs';

const READY_WITHIN_S = 180;
const IMPORT_WITHIN_S = 900;

/** Steps of one server, with its data folder, its clock and its port. */
export class HistoryServer {
  #shell;
  #name;
  #logs;
  #port = null;

  constructor(name, { shell, logs, work, history, clock }) {
    this.#shell = shell;
    this.#name = name;
    this.#logs = logs;
    this.history = history;
    this.clock = clock;
    this.dataDir = join(work, `${name}-data`);
    /** The last output of `laurel state`. */
    this.printedState = join(work, `${name}-state.json`);
    /** The file with the recounted numbers of this server. */
    this.recount = join(work, `${name}-recount.json`);
  }

  /** The environment of both the server and the commands. */
  async environment() {
    this.#port ??= await freePort();
    return {
      LAUREL_CONFIG: this.history.config,
      LAUREL_DATA_DIR: this.dataDir,
      LAUREL_CLOCK: this.clock,
      LAUREL_API_KEY: `ci-key-of-${this.#name}-0123456789abcdef`,
      LAUREL_PORT: String(this.#port),
    };
  }

  async start() {
    const env = await this.environment();
    await this.#shell.startServer(this.#name, ['npm', 'start'], {
      env,
      log: join(this.#logs, `server-${this.#name}.log`),
      withinS: READY_WITHIN_S,
      isReady: () => isReady(`http://127.0.0.1:${this.#port}`),
    });
  }

  stop() {
    return this.#shell.stopServer(this.#name);
  }

  async run(log, command, options) {
    return this.#shell.run(log, command, { env: await this.environment(), ...options });
  }

  /** Imports the history; the command's summary must name these numbers. It exits with 1 if lines were refused. */
  async importHistory(log, { recorded, known, refused }) {
    const url = `http://127.0.0.1:${this.#port}`;
    const command = ['npm', 'run', '--silent', 'laurel', '--', 'import', this.history.file, '--url', url];
    const cpu = await this.run(log, command, { withinS: IMPORT_WITHIN_S, expect: refused === 0 ? 0 : 1 });
    const summary = `${recorded} recorded, ${known} already known, ${refused} refused`;
    if (!readFileSync(log, 'utf8').split('\n').includes(summary)) throw new Error(`expected: ${summary}`);
    return cpu;
  }

  /** Compares what `laurel state` prints with a file. */
  async stateEquals(log, expected) {
    const state = ['bash', '-c', 'npm run --silent laurel -- state >"$0"', this.printedState];
    const cpu = await this.run(log, state, { withinS: 300 });
    return cpu + (await this.run(log, ['node', 'tools/compare-state', expected, this.printedState], { withinS: 300 }));
  }
}

/** A recorded history, and the states that its events must lead to. */
export class History {
  constructor(folder) {
    this.file = join(folder, 'data/rails-commits.ndjson.gz');
    this.config = join(folder, 'spec/example.config.yaml');
    this.expected = join(folder, 'data/rails-expected.json.gz');
    this.expectedIn2014 = join(folder, 'data/rails-expected-2014-05-21.json.gz');
  }

  lines() {
    return gunzipSync(readFileSync(this.file)).reduce((lines, byte) => lines + Number(byte === 0x0a), 0);
  }

  events(expected) {
    return JSON.parse(gunzipSync(readFileSync(expected))).events;
  }
}
