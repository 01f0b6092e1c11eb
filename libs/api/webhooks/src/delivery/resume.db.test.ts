import { dataSourceOf, sqlReader, webhookMigrations } from '@laurel/database';
import type { Outcome } from '@laurel/outgoing';
import { directoryMigrations } from '@laurel/directory';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { Deliveries } from './deliveries.ts';

const ENDPOINT = '00000000-0000-4000-8000-000000000001';
const outcome = (sequence: number): Outcome => ({
  ...{ sequence, id: `00000000-0000-5000-8000-${String(sequence).padStart(12, '0')}`, type: 'streak.extended' },
  ...{ userKey: '7', otherKeys: [], timestamp: 0, body: '{}' },
});

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([...directoryMigrations, ...webhookMigrations]);
});
afterAll(() => database.close());

it('a queue continues after a delivery that was taken too late to see the one before it end', async () => {
  await database.sql.query(
    `insert into webhook_endpoints (account, id, url, description, ordering, trophy_signature, secrets, state_since, taken, created_at, created_by)
     values ('default', $1, 'https://example.com/', '', 'user', false, '', now(), 0, now(), 'test')`,
    [ENDPOINT],
  );
  const dataSource = dataSourceOf(database.connection, []);
  // The server may carry out what nobody waits for any more: here it has no limit of its own.
  const extra = dataSource.options.extra as { session: Record<string, string> };
  extra.session['statement_timeout'] = '0';
  await dataSource.initialize();
  const deliveries = new Deliveries(sqlReader(dataSource));
  const taken = (from: number, to: number) =>
    deliveries.take({
      ...{ account: 'default', endpoint: ENDPOINT, kind: 'new', from, to, isLast: true },
      ...{ held: [], strict: false, at: 0 },
      outcomes: [outcome(to)],
    });
  await taken(0, 1);
  const [first] = await deliveries.due(ENDPOINT, 1, [], 10);
  if (first === undefined) throw new Error('nothing is due');
  const holder = new pg.Client(database.connection);
  await holder.connect();
  await holder.query('begin; select from webhook_endpoints for update');
  // The dispatcher makes the next change once this one has failed.
  await expect(taken(1, 2)).rejects.toThrow('cannot be reached');
  const attempt = { status: 200, tookMs: 1, response: null, error: null, at: 1, nextAt: null };
  await deliveries.finish(ENDPOINT, first, '{}', { ...attempt, state: 'delivered' });
  await holder.query('commit');
  await holder.end();
  await database.sql.query('select pg_sleep(0.5)', []);
  await taken(2, 3);
  await deliveries.resume(ENDPOINT, 1);
  const due = await deliveries.due(ENDPOINT, Date.parse('2100-01-01'), [], 10);
  await dataSource.destroy();
  expect(due.map(({ sequence }) => sequence)).toEqual([2]);
}, 40_000);
