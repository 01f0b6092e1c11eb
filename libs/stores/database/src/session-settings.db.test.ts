import { openTestDatabase, unlikeOf, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { StartError, type ConnectionOptions } from './connection.ts';
import { BoundedReads } from './bounded-reads.ts';
import { dataSourceOf, migrate, sqlReader } from './database.ts';
import { locate } from './locate.ts';
import { clientConfig, SessionClient } from './session-client.ts';
import { SESSION_SETTINGS } from './session-settings.ts';

/** Of `heap` there is no other without an extension. */
const SET = Object.keys(SESSION_SETTINGS).filter((name) => name !== 'default_table_access_method');

let database: TestDatabase;
let connection: ConnectionOptions;
const admin = (text: string) => database.sql.query(text, []);

beforeEach(async () => {
  database = await openTestDatabase([]);
  const role = `role_of_${database.connection.database}`;
  await admin(`create role ${role} login password 'secret'`);
  await admin(`grant create on schema public to ${role}`);
  await admin(`grant create on database ${database.connection.database} to ${role}`);
  connection = { ...database.connection, user: role, password: 'secret' };
});
afterEach(async () => {
  await admin(`drop owned by ${connection.user}; drop role ${connection.user}`);
  await database.close();
});

async function settingsOf(query: (text: string) => Promise<unknown>): Promise<ReadonlyMap<string, string>> {
  const rows = (await query('select name, setting from pg_settings')) as readonly { name: string; setting: string }[];
  return new Map(rows.map(({ name, setting }) => [name, setting]));
}

const wanted = (name: string): string => [SESSION_SETTINGS[name]].flat()[0] ?? '';

it("every connection has Laurel's session settings, whatever the role and the database set", async () => {
  for (const [index, name] of SET.entries()) {
    const holder = index % 2 === 0 ? `role ${connection.user}` : `database ${connection.database}`;
    await admin(`alter ${holder} set ${name} = '${unlikeOf(name)}'`);
  }
  await admin(`grant set on parameter session_replication_role to ${connection.user}`);

  const client = new SessionClient(clientConfig(connection));
  await client.connect();
  const dataSource = await dataSourceOf(connection, []).initialize();
  const reads = new BoundedReads(connection);
  const seen = [
    await settingsOf(async (text) => (await client.query(text)).rows),
    await settingsOf((text) => sqlReader(dataSource).query(text, [])),
    await settingsOf((text) => reads.query(text, [])),
  ];
  await client.end();
  await dataSource.destroy();
  await reads.close();

  for (const settings of seen)
    for (const name of SET.filter((known) => settings.has(known) && known !== 'statement_timeout'))
      expect([name, settings.get(name)]).toEqual([name, wanted(name)]);
  expect(seen.map((settings) => settings.get('statement_timeout'))).toEqual(['0', '7500', '2000']);
  expect(seen.map((settings) => settings.get('search_path'))).toEqual(['"public"', '"public"', '"public"']);
});

it('applying the session settings takes one round trip', async () => {
  const client = new SessionClient(clientConfig(connection));
  const statements: unknown[] = [];
  const { query } = client;
  client.query = ((...asked: unknown[]) => {
    statements.push(asked[0]);
    return Reflect.apply(query, client, asked) as unknown;
  }) as typeof query;
  await client.connect();
  await client.end();
  expect(statements).toHaveLength(1);
});

it('the startup message has only user, database and application name, because poolers refuse most else', () => {
  const client = new SessionClient({ ...clientConfig(connection), application_name: 'laurel' });
  const { getStartupConf } = client as unknown as { getStartupConf(): Readonly<Record<string, string>> };
  expect(Object.keys(Reflect.apply(getStartupConf, client, [])).sort()).toEqual([
    'application_name',
    'database',
    'user',
  ]);
});

it.each(['on', 'remote_apply', 'remote_write', 'local'])(
  'a synchronous commit of the role is kept: %s',
  async (value) => {
    await admin(`alter role ${connection.user} set synchronous_commit = '${value}'`);
    const client = new SessionClient(clientConfig(connection));
    await client.connect();
    expect((await client.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: value }]);
    await client.end();
  },
);

it('a setting that Laurel may not change is reported with its value and a remedy', async () => {
  await admin(`alter role ${connection.user} set session_replication_role = replica`);
  const open = async () => {
    const client = new SessionClient(clientConfig(connection));
    await client.connect();
    await client.end();
  };
  const error: unknown = await open().catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).toMatch(/sets session_replication_role to 'replica', and Laurel, which needs 'origin', may not/);
  const [, remedy = ''] = message.split('Let a superuser run: ');
  await admin(remedy);
  await expect(open()).resolves.toBeUndefined();
});

describe('the schema of the tables', () => {
  const log = (schema: string) => admin(`create schema if not exists ${schema}; create table ${schema}.log_head ()`);
  const role = () => connection.user;

  it('is the one that holds them, whatever the search path is now', async () => {
    await log('"Ours, of 2025"');
    await admin(`alter role ${role()} set search_path = elsewhere`);
    const found = await locate(connection);
    expect(found.schema).toBe('Ours, of 2025');
    await admin(`grant usage on schema "Ours, of 2025" to ${role()}`);
    const client = new SessionClient(clientConfig(found));
    await client.connect();
    const { rows } = await client.query('select current_schema() as schema');
    await client.end();
    expect(rows).toEqual([{ schema: 'Ours, of 2025' }]);
  });

  it.each(['nowhere', 'pg_catalog', ''])('is public if the search path leads nowhere: %j', async (path) => {
    await admin(`alter role ${role()} set search_path = '${path}'`);
    expect(await locate(connection)).toEqual({ ...connection, schema: 'public' });
  });

  it('is the first schema of the search path if there are no tables yet', async () => {
    await admin(`create schema laurel authorization ${role()}`);
    await admin(`alter role ${role()} set search_path = laurel, public`);
    const found = await locate(connection);
    expect(found.schema).toBe('laurel');
    const dataSource = await dataSourceOf(found, [
      { name: '0001-table', sql: 'create table log_head ()' },
    ]).initialize();
    await migrate(dataSource, found);
    await dataSource.destroy();
    await admin(`alter role ${role()} reset search_path`);
    expect((await locate(connection)).schema).toBe('laurel');
  });

  it('ignores the schemas of the distributed topology', async () => {
    await log('laurel_ingestion');
    expect((await locate(connection)).schema).toBe('public');
  });

  it('is refused if two schemas hold an event store', async () => {
    await log('public');
    await log('restored');
    await expect(locate(connection)).rejects.toThrow(/the schemas "public" and "restored" .* each hold a log/);
    await expect(locate(connection)).rejects.toThrow(StartError);
  });

  it('is refused if the role may not create tables there, and both remedies work', async () => {
    await admin(`revoke create on schema public from ${role()}, public`);
    const refused = async () => ((await locate(connection).catch((error: unknown) => error)) as StartError).message;
    const message = await refused();
    expect(message).toMatch(/may not make tables in the schema "public"/);
    const [, first = '', second = ''] = /run: (.*?;) or .*?: (.*;)$/.exec(message) ?? [];
    await admin(first);
    expect((await locate(connection)).schema).toBe('public');
    await admin(`revoke create on schema public from ${role()}`);
    await admin(second);
    expect((await locate(connection)).schema).toBe('laurel');
  });
});

it('PGOPTIONS in the environment does not affect a connection', async () => {
  process.env['PGOPTIONS'] = '-c statement_timeout=77 -c search_path=elsewhere';
  const client = new SessionClient(clientConfig(connection));
  await client.connect();
  const { rows } = await client.query(
    "select current_setting('statement_timeout') as limit, current_schema() as schema",
  );
  await client.end();
  delete process.env['PGOPTIONS'];
  expect(rows).toEqual([{ limit: '0', schema: 'public' }]);
});

it('a connection that cannot be prepared is closed', async () => {
  await admin(`alter role ${connection.user} set session_replication_role = replica`);
  const dataSource = dataSourceOf(connection, []);
  await expect(dataSource.initialize()).rejects.toThrow(StartError);
  const observer = new pg.Client(database.connection);
  await observer.connect();
  const open = async () =>
    (await observer.query('select from pg_stat_activity where usename = $1', [connection.user])).rowCount;
  while ((await open()) !== 0) await observer.query('select pg_sleep(0.05), pg_stat_clear_snapshot()');
  await observer.end();
});
