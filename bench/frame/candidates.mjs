import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort, isReady, start, stop, waitUntil } from '../../tools/processes.mjs';
import { HOW_TO_INSTALL, redisVersion } from '../baselines/start-redis.mjs';
import { shortCommit } from './build-before.mjs';
import { checkOutBefore, checkoutOf } from './checkouts.mjs';
import { describe } from './descriptions.mjs';

export const API_KEY = 'a key for benchmarks, 24 characters';
/** The one that the baselines implement. */
export const CONFIGURATION = readFileSync(new URL('../baselines/laurel.yaml', import.meta.url), 'utf8');

/** In the order of tables and charts. `redis`, `pool`: what it needs. `before` has its title from {@link compareWith}. */
export const CANDIDATES = {
  laurel: { title: 'Laurel', laurel: true },
  before: { title: 'Laurel as of another commit', laurel: true },
  'sql-transaction': { title: 'Fastify, an SQL transaction', pool: true },
  'plpgsql-call': { title: 'Fastify, a PL/pgSQL call', pool: true },
  'redis-always': { title: 'Fastify, Redis with Lua, always', redis: true },
  'redis-everysec': { title: 'Fastify, Redis with Lua, everysec', redis: true },
};

/**
 * From now on the candidate and the form `before` are of this commit.
 * @returns {string} its short name
 * @throws {Error} if there is none of this name
 */
export function compareWith(name) {
  const commit = shortCommit(name);
  CANDIDATES.before.title = `Laurel as of ${commit}`;
  checkOutBefore(commit);
  return commit;
}

/** Those wanted that this machine can run; says which are left out, and why. */
export function available(names) {
  for (const name of names)
    if (!(name in CANDIDATES)) throw new Error(`${name} is none of ${Object.keys(CANDIDATES).join(', ')}`);
  const hasRedis = redisVersion() !== null;
  const left = names.filter((name) => CANDIDATES[name].redis && !hasRedis);
  if (left.length > 0) console.log(`SKIPPED ${left.join(', ')}. ${HOW_TO_INSTALL}`);
  return names.filter((name) => !left.includes(name));
}

/**
 * The candidates that run side by side, each with a database of its own in a folder of its own. Laurel comes first: the baselines
 * take their descriptions from it.
 */
export class Candidates {
  #folder = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
  #clock;
  #configuration;
  #descriptions = null;
  #running = [];
  #onSignal = () => void this.close().finally(() => process.exit(1));

  /**
   * @param {{ startsAt?: number, configuration?: string }} [options] `startsAt`: they see a clock that `setClock` moves, instead of the
   * machine's. `configuration`: for Laurels alone; by default the one that the baselines implement
   */
  constructor({ startsAt, configuration = CONFIGURATION } = {}) {
    // As root, Postgres runs as another user, who must be able to pass through.
    chmodSync(this.#folder, 0o755);
    for (const signal of SIGNALS) process.once(signal, this.#onSignal);
    this.#configuration = configuration;
    this.#clock = startsAt === undefined ? null : join(this.#folder, 'clock');
    if (this.#clock !== null) this.setClock(startsAt);
  }

  setClock(now) {
    writeFileSync(this.#clock, String(now));
  }

  /**
   * @param {string} name
   * @param {{ poolSize?: number, folder?: string, environment?: Record<string, string> }} [options] `folder`: that of a candidate that
   * was stopped, to go on with its data
   * @returns {Promise<{ name: string, title: string, url: string, pid: number, stop: () => Promise<void> }>}
   */
  async start(name, options = {}) {
    const { laurel, title } = CANDIDATES[name];
    const folder = options.folder ?? this.newFolder(name);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const clock = this.#clock === null ? [] : ['--import', CLOCK_MODULE];
    const env = { ...process.env, BENCH_CLOCK_FILE: this.#clock ?? '', ...options.environment };
    const log = join(folder, 'output.log');
    const program = laurel
      ? startLaurel(name, { folder, port, clock, env, log, configuration: this.#configuration })
      : this.#startBaseline(name, { folder, port, clock, env, log, options });
    this.#running.push(program);
    await waitUntil(() => isReady(url), `${name} is ready`, { limitMs: 120_000, program });
    if (laurel && this.#descriptions === null && this.#configuration === CONFIGURATION)
      this.#descriptions = await describe((path) => readV1(url, path));
    return { name, title, url, pid: program.pid, folder, stop: () => this.#stop(program) };
  }

  /** A folder for the data of a candidate; it is removed at the end. */
  newFolder(name) {
    const folder = mkdtempSync(join(this.#folder, `${name}-`));
    chmodSync(folder, 0o755);
    return folder;
  }

  #startBaseline(name, { folder, port, clock, env, log, options }) {
    if (this.#descriptions === null) throw new Error('a baseline is started after a Laurel');
    const words = {
      port,
      dataDir: join(folder, 'data'),
      apiKey: API_KEY,
      descriptions: this.#descriptions,
      ...options,
    };
    const args = [...clock, '--max-semi-space-size=64', SERVE, name, JSON.stringify(words)];
    return start(name, process.execPath, args, { env, log });
  }

  async #stop(program) {
    this.#running = this.#running.filter((other) => other !== program);
    await stop(program, { limitMs: 60_000 });
  }

  async close() {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    await Promise.all(this.#running.map((program) => this.#stop(program)));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What is started leads process groups of its own, which a terminal's signals do not reach. */
const SIGNALS = ['SIGINT', 'SIGTERM'];
const CLOCK_MODULE = pathToFileURL(new URL('clock-from-file.mjs', import.meta.url).pathname).href;
const SERVE = new URL('../baselines/serve.mjs', import.meta.url).pathname;

function startLaurel(name, { folder, port, clock, env, log, configuration }) {
  const config = join(folder, 'laurel.yaml');
  writeFileSync(config, configuration);
  const variables = {
    LAUREL_PORT: String(port),
    LAUREL_DATA_DIR: join(folder, 'data'),
    LAUREL_CONFIG: config,
    LAUREL_API_KEY: API_KEY,
    LAUREL_LOG_LEVEL: 'warn',
  };
  const args = [...clock, '--max-semi-space-size=64', 'apps/standalone/dist/main.js'];
  return start(name, process.execPath, args, { cwd: checkoutOf(name), env: { ...env, ...variables }, log });
}

export async function readV1(url, path) {
  const response = await fetch(`${url}/v1/${path}`, { headers: { 'x-api-key': API_KEY } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
