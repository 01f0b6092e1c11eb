import { isAnswerOfServer } from '@laurel/ports';
import type pg from 'pg';
import { FencedError, LogInUseError } from '../event-store.ts';
import type { LogSessionConfig } from './session-config.ts';

/** Any unused number: the advisory lock of processes that write to the log. */
const WRITER_LOCK = 0x1a7e1;

/**
 * $1: backend pid of the writer's previous connection; ignored if the pid was reused. Returns after that backend has exited, so that none of
 * its statements can still take effect.
 */
const END_SESSION = `
select pg_terminate_backend(pid, 3000) as ended from pg_stat_activity
where pid = $1 and application_name = 'laurel-writer' and datname = current_database()`;

/** The server also notices a lost client. Has no effect on a Unix socket. */
const KEEP_ALIVE = { tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' };

/** A server that takes longer for one statement counts as unreachable; the outcome of the statement is read later. */
const STATEMENT_LIMIT_MS = 8_000;

/** `alone`: no other process writes. `shared`: several processes write, one statement at a time. */
type Sharing = 'alone' | 'shared';

/** The server reports its process id, because a pooler gives the driver another one. */
const TAKE_LOCK: Readonly<Record<Sharing, string>> = {
  alone: 'select pg_try_advisory_lock($1) as locked, pg_backend_pid() as session',
  shared: 'select pg_try_advisory_lock_shared($1) as locked, pg_backend_pid() as session',
};

/**
 * The connection through which a process writes to the log, with its epoch.
 *
 * Two mechanisms exclude a second writer: an advisory lock, so that a second process refuses to start while the first one lives; and the
 * epoch in every statement, because a lock proves nothing once its connection is lost. Processes that share the log share the lock and keep
 * the epoch; a process that takes the log over for itself increments the epoch, which fences all of them.
 */
export class LogWriter {
  #client: pg.Client | null = null;
  /** The backend pid of the current or last connection. */
  #session: number | null = null;
  readonly #config: LogSessionConfig;
  readonly #sharing: Sharing;
  readonly #epoch: number;

  private constructor(config: LogSessionConfig, sharing: Sharing, epoch: number) {
    this.#config = config;
    this.#sharing = sharing;
    this.#epoch = epoch;
  }

  /**
   * Takes the log over. `prepare` runs once no other process can write, to migrate the schema.
   * @throws LogInUseError while another living process writes to it; then `prepare` has not run
   */
  static async open(config: LogSessionConfig, prepare: () => Promise<void> = nothing): Promise<LogWriter> {
    return LogWriter.#open(config, 'alone', prepare, 'update log_head set epoch = epoch + 1 returning epoch');
  }

  /**
   * Shares the log with other processes. `prepare` may run in several of them at once.
   * @throws LogInUseError while a living process has the log for itself; then `prepare` has not run
   */
  static async share(config: LogSessionConfig, prepare: () => Promise<void> = nothing): Promise<LogWriter> {
    return LogWriter.#open(config, 'shared', prepare, 'select epoch from log_head');
  }

  static async #open(
    config: LogSessionConfig,
    sharing: Sharing,
    prepare: () => Promise<void>,
    takeEpoch: string,
  ): Promise<LogWriter> {
    let [epoch, session] = [0, 0];
    const client = await connect(config, async (connected) => {
      session = await takeLock(connected, sharing);
      await prepare();
      const { rows } = await connected.query<{ epoch: string }>(takeEpoch);
      epoch = Number(rows[0]?.epoch);
    });
    const writer = new LogWriter(config, sharing, epoch);
    writer.#adopt(client, session);
    return writer;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Runs one prepared statement. After any error that Postgres itself did not send, the connection is dropped, so that a late answer is never
   * mistaken for the answer to another statement.
   * @throws FencedError if another writer has taken over before a reconnection
   */
  async query<R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<R[]> {
    const client = this.#client ?? (await this.#reconnect());
    try {
      const { rows } = await client.query<R>({ name, text, values: values as unknown[] });
      return rows;
    } catch (error) {
      if (!isAnswerOfServer(error)) this.#drop();
      throw error;
    }
  }

  /** Connects if it is not connected. @throws as {@link query}; then no statement was sent */
  async connect(): Promise<void> {
    if (this.#client === null) await this.#reconnect();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  /**
   * Checks the epoch first: the lock may belong to another process, or only to the writer's own old session, which the server may keep for
   * hours after a network failure. The old session is terminated.
   */
  async #reconnect(): Promise<pg.Client> {
    let session = 0;
    const client = await connect(this.#config, async (connected) => {
      const { rows } = await connected.query<{ epoch: string }>('select epoch from log_head');
      if (Number(rows[0]?.epoch) !== this.#epoch) throw new FencedError();
      const old = await connected.query<{ ended: boolean }>(END_SESSION, [this.#session]);
      if (old.rows[0]?.ended === false) throw new Error('the old session of this writer has not ended yet');
      session = await takeLock(connected, this.#sharing);
    });
    this.#adopt(client, session);
    return client;
  }

  #adopt(client: pg.Client, session: number): void {
    this.#client = client;
    this.#session = session;
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    client?.end().catch(() => undefined);
  }
}

async function connect(config: LogSessionConfig, prepare: (client: pg.Client) => Promise<void>): Promise<pg.Client> {
  const settings: LogSessionConfig = {
    ...config,
    session: { ...config.session, ...KEEP_ALIVE },
    application_name: 'laurel-writer',
    connectionTimeoutMillis: 5_000,
    query_timeout: STATEMENT_LIMIT_MS,
    keepAlive: true,
  };
  const client = new config.Client(settings);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await prepare(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** @returns the backend pid that holds the lock */
async function takeLock(client: pg.Client, sharing: Sharing): Promise<number> {
  const { rows } = await client.query<{ locked: boolean; session: number }>(TAKE_LOCK[sharing], [WRITER_LOCK]);
  const [taken] = rows;
  if (taken?.locked !== true)
    throw new LogInUseError(
      'another Laurel process writes to this database; stop it first, or use a database of its own',
    );
  return taken.session;
}

const nothing = (): Promise<void> => Promise.resolve();
