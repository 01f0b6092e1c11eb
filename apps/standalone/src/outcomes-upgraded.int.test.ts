import { upgradeStopped } from '@laurel/rebuild';
import { parseDocument } from '@laurel/configuration';
import { createClock } from '@laurel/runtime';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { createOldSchema, HISTORY_CONFIGURATION, insertOldRecord } from '@laurel/testing/histories';
import { Client, type Json } from '@laurel/testing/http-suite';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const NOTHING = { onMoved: () => undefined, onApplied: () => undefined };
const ASKING = `${HISTORY_CONFIGURATION}outgoing: { events: all }\n`;
const { document } = parseDocument(HISTORY_CONFIGURATION, 'test');
/** Behind the last record of release 0.1, on the same day. */
const clock = createClock({ type: 'frozen', at: Date.parse('2026-03-05T12:10:00Z') });

let database: TestDatabase;
let served: Served;
const client = new Client(() => served);

beforeAll(async () => {
  database = await openTestDatabase([]);
  await createOldSchema(database.connection);
  const lesson = (user: string) => ({ type: 'MetricEventRecorded', data: { value: '1' }, user });
  const records = [
    { type: 'ConfigurationPublished', data: { version: 1, document } },
    ...['ada', 'bob', 'ada'].map(lesson),
    { type: 'UsersSwept', data: { userIds: ['bob', 'ada'] } },
    { type: 'MetricEventRecorded', data: { value: '3', imported: true }, user: 'ada' },
  ];
  for (const [index, record] of records.entries())
    await insertOldRecord(database.sql, { ...record, position: index + 1 });
  await database.sql.query('update log_head set position = $1', [records.length]);
  expect(await upgradeStopped(database.connection, NOTHING)).toBe(records.length);
  served = await serveInProcess(database.connection, HISTORY_CONFIGURATION, clock);
});
afterAll(async () => {
  await served?.close();
  await database.close();
});

async function told(): Promise<readonly Json[]> {
  await served.service.outcomeReader.catchUp();
  const { text } = await client.send('GET', '/admin/v1/outcomes?limit=1000');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const typesOf = (outcomes: readonly Json[], user?: string) =>
  outcomes.filter((one) => one.user?.id === user).map(({ type }) => type);

describe('a log that was upgraded from release 0.1', () => {
  it('yields no outcomes for old events, even after publications, rebuilds and restarts', async () => {
    expect(await told()).toEqual([]);
    const asking = parseDocument(ASKING, 'test').document;
    expect((await client.send('POST', '/admin/v1/configurations', { body: { document: asking } })).status).toBe(201);
    const published = await told();
    expect(published).toMatchObject([{ type: 'configuration.published', version: 2, sequence: 1 }]);
    await served.service.engine.rebuild([]);
    expect(await told()).toEqual(published);
    await served.close();
    served = await serveInProcess(database.connection, ASKING, clock);
    expect(await told()).toEqual(published);
  });

  it('yields the outcomes of later events', async () => {
    for (const id of ['ada', 'eve'])
      await client.send('POST', '/v1/metrics/lessons/event', { body: { user: { id }, value: 1 } });
    const all = await told();
    expect(typesOf(all.slice(1), 'eve')).toEqual(expect.arrayContaining(['user.created', 'streak.started']));
    expect(typesOf(all.slice(1), 'ada')).toEqual(['points.changed']);
    expect(typesOf(all, 'bob')).toEqual([]);
  });
});
