import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from '@laurel/ports';
import { clientConfig } from '@laurel/database';
import { createClock } from '@laurel/runtime';
import pg from 'pg';
import { openTcpProxy, type TcpProxy } from '../database/index.ts';
import { Client, type Json } from '../http-suite/index.ts';
import { startOwnServer, type OwnServer } from './own-server.ts';

const CLOCK = createClock({ type: 'system' });
const KEY = 'a key of 24 characters, or more';

/** A process of a standalone service. */
interface StartedProcess {
  readonly process: { kill(signal: 'SIGKILL'): boolean };
  readonly url: string;
  readonly ended: Promise<unknown>;
}

type StartProcess = (environment: Readonly<Record<string, string>>) => Promise<StartedProcess>;

/** A standalone service whose process a test kills, with one proxy for its callers and one for its database. */
export interface KilledService {
  readonly client: Client;
  readonly database: TcpProxy;
  /** Direct connections to the database: one holds locks, one observes. */
  readonly holder: pg.Client;
  readonly watcher: pg.Client;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Sends a request, directly or through the callers' proxy, which must break off. */
  broken(method: string, path: string, options?: BrokenRequest): Promise<void>;
  /**
   * Delays the answers to the next request with this method on the callers' proxy. Resolves when the request has
   * arrived.
   */
  holdAnswers(method: string): Promise<void>;
  /** The backends that wait for locks of the holder. */
  waiting(): Promise<readonly number[]>;
  terminate(backends: readonly number[]): Promise<void>;
  /** The findings of a full verification. */
  verified(): Promise<Json>;
  close(): Promise<void>;
}

interface BrokenRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly isProxied?: boolean;
}

/** Longer than any step of these tests. */
export const HELD_MS = 240_000;

export const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await pause(CLOCK, 20);
};

export async function openKilledService(configuration: string, startProcess: StartProcess): Promise<KilledService> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-killed-'));
  // If started by root, the database runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'laurel.yaml'), configuration);
  const server = await startOwnServer(join(folder, 'postgres'));
  const http = await openTcpProxy();
  const clients = [1, 2].map(() => new pg.Client(clientConfig(server.connection))) as [pg.Client, pg.Client];
  await Promise.all(clients.map((client) => client.connect()));
  const service = new Killed({ folder, server, http, startProcess }, clients);
  await service.start();
  return service;
}

interface KilledDependencies {
  readonly folder: string;
  readonly server: OwnServer;
  readonly http: TcpProxy;
  readonly startProcess: StartProcess;
}

class Killed implements KilledService {
  readonly client = new Client(() => ({ baseUrl: this.#process?.url ?? '', apiKey: KEY }));
  readonly holder: pg.Client;
  readonly watcher: pg.Client;
  readonly #folder: string;
  readonly #server: OwnServer;
  readonly #http: TcpProxy;
  readonly #startProcess: StartProcess;
  #process: StartedProcess | undefined;

  constructor(
    { folder, server, http, startProcess }: KilledDependencies,
    [holder, watcher]: readonly [pg.Client, pg.Client],
  ) {
    this.#folder = folder;
    this.#server = server;
    this.#http = http;
    this.#startProcess = startProcess;
    this.holder = holder;
    this.watcher = watcher;
  }

  get database(): TcpProxy {
    return this.#server.proxy;
  }

  async start(): Promise<void> {
    this.#process = await this.#startProcess({
      LAUREL_DATA_DIR: join(this.#folder, 'data'),
      LAUREL_DATABASE_URL: this.#server.url,
      LAUREL_CONFIG: join(this.#folder, 'laurel.yaml'),
      LAUREL_API_KEY: KEY,
      LAUREL_CLOCK: '2026-03-10T12:00:00Z,frozen',
    });
    this.#http.target = { host: '127.0.0.1', port: Number(new URL(this.#process.url).port) };
  }

  async kill(): Promise<void> {
    this.#process?.process.kill('SIGKILL');
    await this.#process?.ended;
    this.#http.cut();
  }

  async broken(method: string, path: string, { headers, body, isProxied = false }: BrokenRequest = {}): Promise<void> {
    const init = {
      method,
      headers: { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const answer = await fetch(`${isProxied ? `http://${this.#http.address}` : this.#process?.url}${path}`, init).catch(
      () => null,
    );
    if (answer !== null) throw new Error(`${method} ${path} was answered: ${answer.status}`);
  }

  holdAnswers(method: string): Promise<void> {
    return this.#http.holdAnswers((data) => data.includes(`${method} `), HELD_MS);
  }

  async waiting(): Promise<readonly number[]> {
    let pids: readonly number[] = [];
    const { rows: own } = await this.holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    await until(async () => {
      const blocked = 'select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
      const { rows } = await this.watcher.query<{ pid: number }>(blocked, [own[0]?.pid]);
      pids = rows.map(({ pid }) => pid);
      return pids.length > 0;
    });
    return pids;
  }

  async terminate(backends: readonly number[]): Promise<void> {
    await this.watcher.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [backends]);
  }

  async verified(): Promise<Json> {
    let { json } = await this.client.send('POST', '/admin/v1/verifications?full=true');
    await until(async () => {
      json = await this.client.read(`/admin/v1/verifications/${json.id}`);
      return json.state !== 'running';
    });
    if (json.state !== 'done') throw new Error(JSON.stringify(json));
    return json.findings;
  }

  async close(): Promise<void> {
    await this.kill();
    await Promise.all([this.holder.end(), this.watcher.end(), this.#http.close()]);
    await this.#server.stop();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
