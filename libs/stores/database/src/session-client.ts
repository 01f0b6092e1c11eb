import type { SqlReader } from '@laurel/kernel';
import { isAnswerOfServer } from '@laurel/ports';
import pg from 'pg';
import { DEFAULT_SCHEMA, StartError, type ConnectionOptions } from './connection.ts';
import { SESSION_SETTINGS, type Settings } from './session-settings.ts';

export interface SessionConfig extends pg.ClientConfig {
  readonly Client: new (config?: pg.ClientConfig) => pg.Client;
  /** Settings of its sessions in addition to, or instead of, {@link SESSION_SETTINGS}. */
  readonly session: Settings;
}

/**
 * The configuration of connections with the settings that Laurel relies on, for `new config.Client(config)` or a pool.
 * @param session additional settings of the sessions
 */
export const clientConfig = (connection: ConnectionOptions, session: Settings = {}): SessionConfig => {
  const { ssl, schema: _, ...rest } = connection;
  return { ...rest, ssl: ssl ?? false, ...sessionOf(connection, session) };
};

export const sessionOf = (
  { schema = DEFAULT_SCHEMA }: Pick<ConnectionOptions, 'schema'>,
  session: Settings,
): Pick<SessionConfig, 'Client' | 'session'> => ({
  Client: SessionClient,
  session: { search_path: pg.escapeIdentifier(schema), ...session },
});

/**
 * A connection whose session has the settings that Laurel relies on before its first use. They are applied in one round trip after
 * connecting, because poolers such as PgBouncer refuse most settings while a client connects.
 *
 * The connection may be lost at any time. A pool does not listen for errors of a connection that is checked out, and an error between two
 * statements would end the process; here the next statement fails instead.
 *
 * A statement that is not answered in time closes the connection, because the server may still be in its transaction: the next user of the
 * connection would write into that transaction, and lose it.
 */
export class SessionClient extends pg.Client {
  readonly #settings: ReadonlyMap<string, readonly string[]>;
  readonly #limitMs: number;

  constructor(config: pg.ClientConfig & { readonly session?: Settings } = {}) {
    super(config);
    const { session = {}, connectionTimeoutMillis = ANSWERED_WITHIN_MS } = config;
    this.#settings = new Map(
      Object.entries({ ...SESSION_SETTINGS, ...session }).map(([name, value]) => [name, [value].flat()]),
    );
    this.#limitMs = connectionTimeoutMillis;
    this.on('error', () => undefined);
    this.query = ((...asked: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(super.query, this, asked);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#endIfLate(error));
      return answer;
    }) as typeof this.query;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | void {
    const connected = super.connect().then(() => this.#prepare());
    if (callback === undefined) return connected;
    connected.then(() => callback(null, this), callback);
  }

  async #prepare(): Promise<this> {
    try {
      await this.#set(this.#settings);
      return this;
    } catch (error) {
      const refused = isAnswerOfServer(error) ? await this.#explain(error) : error;
      // A pool assumes that a connection which fails is closed.
      this.end().catch(() => undefined);
      throw refused;
    }
  }

  async #set(settings: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const values = [JSON.stringify(Object.fromEntries(settings))];
    const asked = { text: SET, values, query_timeout: this.#limitMs };
    await this.query(asked);
  }

  /** Finds the setting that the server refused. */
  async #explain(refusal: Error): Promise<Error> {
    for (const [name, values] of this.#settings)
      try {
        await this.#set(new Map([[name, values]]));
      } catch (error) {
        if (!isAnswerOfServer(error)) return refusal;
        return this.#refused(name, values[0] ?? '', error).catch(() => refusal);
      }
    return refusal;
  }

  async #refused(name: string, value: string, cause: Error): Promise<StartError> {
    const { rows } = await this.query<Surroundings>(READ_SURROUNDINGS, [name]);
    const [{ present, role, database } = { present: null, role: '', database: '' }] = rows;
    return new StartError(
      `the database sets ${name} to '${present}', and Laurel, which needs '${value}', may not change it (${cause.message}). ` +
        `Let a superuser run: alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)} ` +
        `set ${name} = ${pg.escapeLiteral(value)};`,
      { cause },
    );
  }

  #endIfLate(error: unknown): void {
    if (error instanceof Error && error.message === LATE) this.end().catch(() => undefined);
  }
}

/** Opens a session that stays open until its caller ends it. @throws StartError, or the driver's error */
export async function openSession(
  connection: ConnectionOptions,
  { session, ...config }: pg.ClientConfig & { readonly session?: Settings } = {},
): Promise<SessionClient> {
  const client = new SessionClient({ ...clientConfig(connection, session), ...config });
  await client.connect();
  return client;
}

/** Statements in one session. */
export const sqlOf = (client: pg.Client): SqlReader => ({
  query: async <R extends object>(text: string, parameters: readonly unknown[]) =>
    (await client.query<R>(text, [...parameters])).rows,
});

/** The limit for a connection that has none of its own. */
const ANSWERED_WITHIN_MS = 10_000;

/** $1: the values of each setting. A setting that this version of Postgres does not know has no current value. */
const SET = `
select pg_catalog.count(pg_catalog.set_config(name, accepted operator(pg_catalog.->>) 0, false))
from pg_catalog.jsonb_each($1::pg_catalog.jsonb) as wanted (name, accepted)
where not accepted operator(pg_catalog.?) pg_catalog.current_setting(name, true)`;

interface Surroundings {
  readonly present: string | null;
  readonly role: string;
  readonly database: string;
}

const READ_SURROUNDINGS = `
select pg_catalog.current_setting($1, true) as present, session_user::pg_catalog.text as role,
  pg_catalog.current_database()::pg_catalog.text as database`;

/** The driver gives this error no code. */
const LATE = 'Query read timeout';
