import { isAnswerOfServer } from '@laurel/ports';
import type pg from 'pg';
import { FencedError, LogInUseError } from '../event-store.ts';
import type { SessionConfig } from './session-config.ts';

/** Any number that is only ours: the advisory lock that says "a process writes to this log". */
const WRITER_LOCK = 0x1a7e1;

/**
 * $1: backend pid of our previous connection; ignored if the pid was reused. Returns once that backend has exited, so nothing that
 * it was writing can be written later.
 */
const END_SESSION = `
select pg_terminate_backend(pid, 3000) as ended from pg_stat_activity
where pid = $1 and application_name = 'laurel-writer' and datname = current_database()`;

/** So that the server, too, misses a client that has gone without a word. Has no effect on a Unix socket. */
const KEEP_ALIVE = { tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' };

/** A server that takes longer for one statement is taken for unreachable; what became of the statement is asked of it later. */
const STATEMENT_LIMIT_MS = 8_000;

/** `alone`: nobody else writes. `shared`: beside others of the same kind, each of which waits its turn in every statement. */
type Sharing = 'alone' | 'shared';

/** A pooler tells the driver a number of its own for the session, so the server is asked. */
const TAKE_LOCK: Readonly<Record<Sharing, string>> = {
  alone: 'select pg_try_advisory_lock($1) as locked, pg_backend_pid() as session',
  shared: 'select pg_try_advisory_lock_shared($1) as locked, pg_backend_pid() as session',
};

/**
 * The one connection by which a process writes to the log, and the epoch under which it does.
 *
 * Two walls against a second writer: an advisory lock, so that a second process refuses to start while the first one
 * lives; and the epoch in every statement, because a lock proves nothing once the connection that held it is gone.
 * Processes that share the log hold the lock together and leave the epoch as it is: it fences them all once a process takes
 * the log over for itself.
 */
export class LogWriter {
  #client: pg.Client | null = null;
  /** The server's process that serves, or last served, this writer. */
  #session: number | null = null;
  readonly #config: SessionConfig;
  readonly #sharing: Sharing;
  readonly #epoch: number;

  private constructor(config: SessionConfig, sharing: Sharing, epoch: number) {
    this.#config = config;
    this.#sharing = sharing;
    this.#epoch = epoch;
  }

  /**
   * Takes the log over. `prepare` runs as soon as nobody else can write: to bring the schema up to date.
   * @throws LogInUseError while another living process writes to it; nothing was prepared then.
   */
  static async open(config: SessionConfig, prepare: () => Promise<void> = nothing): Promise<LogWriter> {
    return LogWriter.#open(config, 'alone', prepare, 'update log_head set epoch = epoch + 1 returning epoch');
  }

  /**
   * Writes to the log beside other processes that share it. `prepare` may run in several of them at once.
   * @throws LogInUseError while a living process has the log for itself; nothing was prepared then.
   */
  static async share(config: SessionConfig, prepare: () => Promise<void> = nothing): Promise<LogWriter> {
    return LogWriter.#open(config, 'shared', prepare, 'select epoch from log_head');
  }

  static async #open(
    config: SessionConfig,
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
   * Runs one prepared statement. After any error that is not Postgres's own answer the connection is dropped: what is
   * still on its way over it must never be taken for the answer to a later statement.
   * @throws FencedError if, after a reconnection, another writer turns out to have taken over.
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

  /** Connects if it is not connected. @throws as {@link query}; nothing has been asked of the server then. */
  async connect(): Promise<void> {
    if (this.#client === null) await this.#reconnect();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  /**
   * The epoch first: a lock that somebody holds may be another process's claim, or only our own old session, which the server
   * may take hours to miss when the network between has gone. That one is ended.
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

async function connect(config: SessionConfig, prepare: (client: pg.Client) => Promise<void>): Promise<pg.Client> {
  const client = new config.Client({
    ...config,
    ...{ session: { ...config.session, ...KEEP_ALIVE } },
    application_name: 'laurel-writer',
    connectionTimeoutMillis: 5_000,
    query_timeout: STATEMENT_LIMIT_MS,
    keepAlive: true,
  });
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

/** @returns the server's process that holds it */
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
