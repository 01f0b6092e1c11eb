import { dataSourceOf, sqlReader, webhookMigrations } from '@laurel/database';
import { directoryMigrations } from '@laurel/directory';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { Deliveries } from './deliveries.ts';

const ENDPOINT = '00000000-0000-4000-8000-000000000001';
const USERS = 50_000;
const DELIVERIES = 2_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([...directoryMigrations, ...webhookMigrations]);
  const { sql } = database;
  await sql.query(
    "insert into subjects select 'acme', n * 7919::bigint, 'user ' || n, '' from generate_series(1, $1::int) n",
    [USERS],
  );
  await sql.query(
    `insert into webhook_endpoints (account, id, url, description, ordering, trophy_signature, secrets, state_since, taken, created_at, created_by)
     values ('acme', $1, 'https://example.com/', '', 'user', false, '', now(), 0, now(), 'test')`,
    [ENDPOINT],
  );
  await sql.query(
    `insert into webhook_deliveries (account, endpoint, sequence, outcome, type, outcome_at, user_key, others, lane, replay, state, attempts, response, finished_at)
     select 'acme', $1, n, gen_random_uuid(), 'leaderboard.rank_lost', now(), (n * 7919::bigint)::text,
       array[((n + 1) * 7919::bigint)::text, case when n = 7 then '5' else (n * 7919::bigint)::text end], '', false, 'delivered', 1, 'ok', now()
     from generate_series(1, $2::int) n`,
    [ENDPOINT, DELIVERIES],
  );
  await sql.query('delete from subjects where subject = 3 * 7919', []);
  await sql.query('analyze', []);
}, 60_000);
afterAll(() => database.close());

it('forgetErased removes erased users within the statement limit, however many users there are', async () => {
  const dataSource = await dataSourceOf(database.connection, []).initialize();
  try {
    await new Deliveries(sqlReader(dataSource)).forgetErased('acme');
  } finally {
    await dataSource.destroy();
  }
  const rows = await database.sql.query(
    'select sequence::int, user_key is null as of_nobody, others is null as names_nobody from webhook_deliveries where response is null order by 1',
    [],
  );
  expect(rows).toEqual([
    { sequence: 2, of_nobody: false, names_nobody: true },
    { sequence: 3, of_nobody: true, names_nobody: true },
    { sequence: 7, of_nobody: false, names_nobody: true },
  ]);
}, 60_000);
