import { upgradeStopped } from '@laurel/rebuild';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { createOldSchema, HISTORY_CONFIGURATION, insertOldRecord } from '@laurel/testing/histories';
import { ADA, ADAS_COURSE, ADAS_KEY, ADAS_SECRETS, Client, foundIn } from '@laurel/testing/http-suite';
import { dumpOf } from './testing/dump.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const NOTHING = { onMoved: () => undefined, onApplied: () => undefined };

const DOCUMENT = {
  version: 1,
  metrics: [{ key: 'lessons', name: 'Lessons' }],
  points: [{ key: 'xp', name: 'XP', triggers: [{ type: 'metric', metric: 'lessons', threshold: 1, points: 10 }] }],
  leaderboards: [{ key: 'all', name: 'All', rankBy: 'metric', metric: 'lessons', start: '2026-01-01' }],
};

let database: TestDatabase;
let served: Served | null;
const client = new Client(() => served as Served);

beforeEach(async () => {
  served = null;
  database = await openTestDatabase([]);
});
afterEach(async () => {
  await served?.close();
  await database.close();
});

/** Ada's, as release 0.1 wrote it. */
const PROFILE = {
  ...{ name: ADA.name, email: ADA.email, deviceTokens: ADA.deviceTokens },
  attributes: Object.entries(ADA.attributes),
};

/** A database that release 0.1 has left: its log, and its read models, which name users by their ids. */
async function leaveOldLog(): Promise<void> {
  await createOldSchema(database.connection);
  const { id } = ADA;
  const attributes = [['course', ADAS_COURSE]];
  const lesson = { type: 'MetricEventRecorded', data: { value: '1' } };
  const records = [
    { type: 'ConfigurationPublished', data: { version: 1, document: DOCUMENT } },
    { type: 'UserIdentified', data: { user: PROFILE }, user: id },
    { ...lesson, user: 'bob' },
    {
      type: 'MetricEventRecorded',
      data: { value: '2', attributes, user: { name: ADA.name } },
      user: id,
      key: ADAS_KEY,
    },
    { type: 'UsersSwept', data: { userIds: ['bob', id] } },
    { type: 'MetricEventRecorded', data: { value: '3', imported: true, attributes }, user: id },
  ];
  for (const [index, record] of records.entries())
    await insertOldRecord(database.sql, { ...record, position: index + 1 });
  await database.sql.query('update log_head set position = $1', [records.length]);
  for (const { name, columns } of await tablesOfUsers())
    await database.sql.query(`insert into ${name} select * from json_populate_record(null::${name}, $1)`, [
      JSON.stringify(Object.fromEntries(columns.map(({ column, type }) => [column, valueOf(column, type)]))),
    ]);
}

interface OldTable {
  readonly name: string;
  readonly columns: readonly { readonly column: string; readonly type: string }[];
}

/** The tables of release 0.1 with the id of a user, except the log. */
async function tablesOfUsers(): Promise<readonly OldTable[]> {
  const tables = await database.sql.query<OldTable>(
    `select table_name as name, json_agg(json_build_object('column', column_name, 'type', data_type)) as columns
     from information_schema.columns where table_schema = current_schema() and table_name <> 'events'
     group by table_name having bool_or(column_name = 'user_id') order by 1`,
    [],
  );
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['user_states', 'board_standings']));
  return tables;
}

function valueOf(column: string, type: string): unknown {
  if (column === 'user_id') return ADA.id;
  if (type === 'jsonb' || type === 'json') return PROFILE;
  if (type === 'boolean') return false;
  if (type === 'uuid') return '00000000-0000-4000-8000-000000000001';
  if (type === 'date') return '2026-03-05';
  if (type.startsWith('timestamp')) return '2026-03-05T12:00:00Z';
  return type === 'text' ? 'default' : 1;
}

it('an erasure in a log upgraded from release 0.1 removes every trace of the user from the database', async () => {
  await leaveOldLog();
  expect(foundIn(await dumpOf(database.sql), ADAS_SECRETS)).toEqual(ADAS_SECRETS);
  expect(await upgradeStopped(database.connection, NOTHING)).toBe(6);
  // The directory has the id, the profile the rest; events and their attributes are sealed.
  const known = ADAS_SECRETS.filter((secret) => ![ADAS_COURSE, ADAS_KEY].includes(secret));
  expect(foundIn(await dumpOf(database.sql), ADAS_SECRETS)).toEqual(known);

  served = await serveInProcess(database.connection, HISTORY_CONFIGURATION);
  const path = `/admin/v1/users/${ADA.id}`;
  expect((await client.read(`/v1/users/${ADA.id}`)).name).toBe(ADA.name);
  const { previewId, places } = (await client.send('DELETE', `${path}?preview=true`)).json;
  expect(places).toContainEqual({ place: 'events', rows: 3, becomes: 'unreadable' });
  const erased = await client.send('DELETE', `${path}?previewId=${previewId}&reason=a+letter`);
  expect([erased.status, erased.json.erased]).toEqual([200, true]);
  expect(foundIn(await dumpOf(database.sql), ADAS_SECRETS)).toEqual([]);
  await served.service.engine.rebuild([]);
  expect(foundIn(await dumpOf(database.sql), ADAS_SECRETS)).toEqual([]);
  expect((await client.read('/v1/users/bob')).id).toBe('bob');
});
