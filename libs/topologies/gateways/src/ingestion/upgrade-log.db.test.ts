import { EventStoreDBClient, NO_STREAM, jsonEvent } from '@eventstore/db-client';
import type { Migration, NewRecord, SqlReader } from '@laurel/kernel';
import { clientConfig } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { PostgresRelayStore, Relay } from '@laurel/engine';
import { keyHashOf, PostgresEventStore, type EventStore } from '@laurel/event-store';
import type { OutgoingMessage } from '@laurel/event-stream';
import { INGESTION_MIGRATIONS, type OpenSchema, openSchema, SCHEMAS } from '@laurel/processes';
import { systemClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { startFakeEventStoreDb, type FakeEventStoreDb } from '@laurel/testing/event-store-db';
import { assertUpgraded, openEventStoreDb } from './open-event-store.ts';
import { moveFirstLog } from './upgrade-log.ts';

/** Those of release 0.1. */
const FIRST_MIGRATIONS = INGESTION_MIGRATIONS.filter(
  ({ name }: Migration) =>
    !/subjects|log-upgrade|administrative-events|log-hash|events-by-id|corrections|erasures|imports-of-account|event-positions|copied-events|0013-requests/.test(
      name,
    ),
);

interface OldEvent {
  readonly id: string;
  readonly type: string;
  readonly userId: string | null;
  readonly metric: string | null;
  readonly idempotencyKey: string | null;
  readonly data: object;
}

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const oldEvent = (
  n: number,
  type: string,
  userId: string | null,
  data: object,
  key: string | null = null,
): OldEvent => ({
  id: idOf(n),
  type,
  userId,
  metric: type === 'MetricEventRecorded' ? 'words' : null,
  idempotencyKey: key,
  data,
});

/** More than one page, so that an interrupted copy may lie within one. */
const EVENTS: readonly OldEvent[] = [
  oldEvent(1, 'ConfigurationPublished', null, { version: 1, document: { a: 1 } }),
  oldEvent(2, 'MetricEventRecorded', 'ann', { value: '1.5', user: { name: 'Ann', tz: 'Asia/Tokyo' } }, 'k'),
  oldEvent(3, 'UserIdentified', 'bob', { user: { email: 'bob@example.org' } }),
  oldEvent(4, 'UsersSwept', null, { userIds: ['bob', 'ann'] }),
  ...Array.from({ length: 600 }, (_, n) => oldEvent(n + 5, 'MetricEventRecorded', `user-${n % 9}`, { value: '1' })),
];

const INSTANT = '2026-03-01T12:00:00.123Z';

let database: TestDatabase;
const schemas: OpenSchema[] = [];
const servers: FakeEventStoreDb[] = [];

async function schemaWith(migrations: readonly Migration[]): Promise<OpenSchema> {
  const schema = await openSchema(database.connection, SCHEMAS.ingestion, migrations);
  schemas.push(schema);
  return schema;
}

beforeEach(async () => {
  database = await openTestDatabase([]);
});
afterEach(async () => {
  for (const schema of schemas.splice(0)) await schema.close();
  for (const server of servers.splice(0)) await server.stop();
  await database.close();
});

/** An installation of 0.1 with its log in Postgres. */
async function inPostgres(): Promise<string | null> {
  const { sql } = await schemaWith(FIRST_MIGRATIONS);
  await sql.query(`insert into publications values ('default', 1, '{"a":1}', $1)`, [INSTANT]);
  await sql.query(
    `insert into events select row_number() over (), 'default', (e->>'id')::uuid, e->>'type', 1, 1, e->>'userId', e->>'metric',
       e->>'idempotencyKey', $2, $2, e->'data' from json_array_elements($1::json) e`,
    [JSON.stringify(EVENTS), INSTANT],
  );
  return null;
}

/** An installation of 0.1 with its log in EventStoreDB. */
async function inEventStoreDb(): Promise<string | null> {
  const { sql } = await schemaWith(FIRST_MIGRATIONS);
  await sql.query(`insert into publications values ('default', 1, '{"a":1}', $1)`, [INSTANT]);
  const server = await startFakeEventStoreDb();
  servers.push(server);
  const client = EventStoreDBClient.connectionString(server.url);
  const metadata = {
    account: 'default',
    schemaVersion: 1,
    configurationVersion: 1,
    occurredAt: INSTANT,
    recordedAt: INSTANT,
  };
  for (const { id, type, ...data } of EVENTS) {
    const stream = data.userId === null ? 'laurel-account-hash' : `laurel-event-${id}`;
    const expectedRevision = data.userId === null ? 'any' : NO_STREAM;
    await client.appendToStream(stream, jsonEvent({ id, type, data, metadata }), { expectedRevision });
    await client.appendToStream('of-another-application', jsonEvent({ type: 'Other', data: {} }));
  }
  await client.dispose();
  return server.url;
}

const AT = Date.parse(INSTANT);

/** The server of the tests is not durable, so its log is opened without looking at that. */
async function upgrading(url: string | null, onProgress: (moved: number) => void = () => undefined) {
  const schema = await schemaWith(INGESTION_MIGRATIONS);
  const { sql, connection } = schema;
  const directory = new PostgresDirectory(sql);
  const config = clientConfig(connection);
  const openStore = (): Promise<EventStore> =>
    url === null
      ? PostgresEventStore.open({ config, sql, keys: directory, clock: systemClock })
      : openEventStoreDb(url, systemClock, directory);
  const move = () => moveFirstLog({ url, sql, directory, clock: systemClock, onProgress });
  return { sql, directory, openStore, move, relayStore: new PostgresRelayStore(schema.statements) };
}

/** Everything that a relay sends of a log from its beginning, as text. */
async function publishedTexts(
  log: EventStore,
  { relayStore, directory }: Pick<Awaited<ReturnType<typeof upgrading>>, 'relayStore' | 'directory'>,
): Promise<readonly string[]> {
  const texts: string[] = [];
  const producer = {
    send: async (messages: readonly OutgoingMessage[]) =>
      void texts.push(...messages.map(({ key, value }) => `${String(key)} ${Buffer.from(value ?? '').toString()}`)),
    close: () => Promise.resolve(),
  };
  await relayStore.save(await relayStore.read(), { position: 0, sent: new Map() });
  const relay = new Relay({
    ...{ log, producer, store: relayStore, dataKeys: directory, partitions: 3, clock: systemClock },
    onTrouble: () => undefined,
  });
  while (await relay.publish());
  return texts;
}

/** Everything that the tables of the schema hold, as text. */
async function tableTexts(sql: SqlReader): Promise<readonly string[]> {
  const tables = await sql.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = '${SCHEMAS.ingestion}'`,
    [],
  );
  const texts: string[] = [];
  for (const { name } of tables)
    texts.push(
      ...(await sql.query<{ text: string }>(`select t::text as text from ${name} t`, [])).map(({ text }) => text),
    );
  return texts;
}

const NAMES = [/\bann\b/i, /bob@example\.org/, /\buser-\d/];
const namedIn = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => NAMES.some((name) => name.test(text)));

describe.each([
  ['Postgres', inPostgres],
  ['EventStoreDB', inEventStoreDb],
] as const)('a log of release 0.1 in %s', (_store, install) => {
  it('is refused by a gateway until it is copied, complete and in order, with subjects for users', async () => {
    const { sql, directory, openStore, move } = await upgrading(await install());
    await expect(assertUpgraded(sql)).rejects.toThrow('in the form of 0.1');
    expect(await move()).toBe(true);
    await assertUpgraded(sql);

    const store = await openStore();
    const records = await store.read(0, 1_000);
    const ann = (await directory.find('default', 'ann')) as number;
    const bob = (await directory.find('default', 'bob')) as number;
    expect(records.map(({ eventId }) => eventId)).toEqual(EVENTS.map(({ id }) => id));
    expect(new Set(records.map(({ occurredAt, recordedAt }) => `${occurredAt} ${recordedAt}`))).toEqual(
      new Set([`${AT} ${AT}`]),
    );
    const keyHash = keyHashOf({ account: 'default', subject: ann, metric: 'words', key: 'k' });
    expect(records.slice(1, 4).map(({ fact }) => fact)).toMatchObject([
      { subject: ann, value: 1_500_000n, user: { name: 'Ann', tz: 'Asia/Tokyo' }, keyHash },
      { subject: bob, user: { email: 'bob@example.org' } },
      { subjects: [bob, ann] },
    ]);
    expect(await store.findKeys([keyHash])).toMatchObject([{ subject: ann, eventId: idOf(2) }]);
    await store.close();
  });

  it('names nobody in what is published, and an erased user nowhere', async () => {
    const upgraded = await upgrading(await install());
    const { sql, directory, openStore, move } = upgraded;
    await move();
    const store = await openStore();
    const before = await publishedTexts(store, upgraded);
    expect(before.length).toBeGreaterThan(EVENTS.length - 10);
    expect(namedIn(before)).toEqual([]);
    const sealed = before.filter((text) => text.includes('"sealed"'));
    expect(sealed).toHaveLength(2);
    const ann = (await directory.find('default', 'ann')) as number;
    // What the statement of an erasure does, wherever the log is.
    await sql.query("delete from subjects where user_id in ('ann', 'bob') or user_id like 'user-%'", []);
    directory.forget({ account: 'default', subject: ann });
    const after = await publishedTexts(store, { ...upgraded, directory: new PostgresDirectory(sql) });
    expect(after).toHaveLength(before.length);
    expect([...namedIn(after), ...namedIn(await tableTexts(sql))]).toEqual([]);
    expect(after.filter((text) => text.includes('"sealed"'))).toEqual([]);
    await store.close();
  });

  it('is copied further after an interruption, and not again once it is complete', async () => {
    const url = await install();
    const cut = await upgrading(url, () => {
      throw new Error('cut off');
    });
    await expect(cut.move()).rejects.toThrow('cut off');
    const { sql, openStore, move } = await upgrading(url);
    await expect(assertUpgraded(sql)).rejects.toThrow('in the form of 0.1');
    expect([await move(), await move()]).toEqual([true, false]);
    const store = await openStore();
    expect((await store.read(0, 1_000)).map(({ eventId }: NewRecord) => eventId)).toEqual(EVENTS.map(({ id }) => id));
    await store.close();
  });
});

it('a new installation of this release has no log to copy', async () => {
  const { sql, move } = await upgrading(null);
  await assertUpgraded(sql);
  expect(await move()).toBe(false);
});
