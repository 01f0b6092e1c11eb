import { leaderboardsMigrations } from '@laurel/leaderboards';
import { outgoingMigrations } from '@laurel/outgoing';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { deleteNotified } from './notified-tops.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(leaderboardsMigrations);
  await database.sql.query(
    `insert into run_tops select n % 7, n, '2026-01-01', 1, '[]' from generate_series(1, 2500) n`,
    [],
  );
});
afterEach(() => database.close());

const left = async () => {
  const [row] = await database.sql.query<{ rows: string; first: string | null }>(
    'select count(*) as rows, min(position) as first from run_tops',
    [],
  );
  return { rows: Number(row?.rows), first: Number(row?.first) };
};

it('deleteNotified keeps the tops of runs while there is no outgoing service or it has not started', async () => {
  expect(await deleteNotified(database.sql, () => true)).toBe(0);
  await openOutgoing();
  expect(await deleteNotified(database.sql, () => true)).toBe(0);
  expect(await left()).toEqual({ rows: 2_500, first: 1 });
});

it('deleteNotified deletes tops of events that the outgoing service has passed, in batches', async () => {
  await openOutgoing();
  await database.sql.query(`insert into laurel_outgoing.outcome_cursors values ('default', 2200, 0, 0)`, []);
  expect(await deleteNotified(database.sql, () => false)).toBe(1_000);
  expect(await left()).toEqual({ rows: 1_500, first: 1_001 });
  expect(await deleteNotified(database.sql, () => true)).toBe(1_200);
  expect(await left()).toEqual({ rows: 300, first: 2_201 });
});

it('deleteNotified reads only what it deletes, however much is kept', async () => {
  await openOutgoing();
  await database.sql.query(`insert into laurel_outgoing.outcome_cursors values ('default', 20, 0, 0)`, []);
  await database.sql.query('analyze run_tops', []);
  const rows = await database.sql.query<{ 'QUERY PLAN': string }>(
    `explain select ctid from run_tops
     where position <= (select min(position) from laurel_outgoing.outcome_cursors) order by position limit 1000`,
    [],
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('run_tops_position');
});

async function openOutgoing(): Promise<void> {
  await database.sql.query('create schema laurel_outgoing', []);
  const cursors = outgoingMigrations[0]?.sql ?? '';
  await database.sql.query(`set search_path to laurel_outgoing; ${cursors}; reset search_path`, []);
}
