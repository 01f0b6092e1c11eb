import type { SqlReader } from '@laurel/kernel';
import { directoryMigrations } from '@laurel/directory';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { MemoryDataKeys } from '../fixtures/index.ts';
import { eventStoreMigrations } from '../migrations.ts';
import { PostgresLogReader } from './postgres-log-reader.ts';

const SWEEPS = 200_000;
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await openTestDatabase([...directoryMigrations, ...eventStoreMigrations]);
  await database.sql.query(
    `insert into events (position, occurred_at, recorded_at, event_id, configuration_version, schema_version, type, imported, account, data)
     select n, now(), now(), gen_random_uuid(), 1, case when n = 1 then 1 else 2 end, case when n = 1 then 7 else 4 end, false, 'acme',
       case when n = 1 then '{"version":1,"document":{}}' else json_build_object('subjects', array[n, n * 7919::bigint, n * 104729::bigint]) end::jsonb
     from generate_series(1, $1::int) n`,
    [SWEEPS],
  );
  await database.sql.query('vacuum analyze', []);
  client = new pg.Client({ ...database.connection, options: '-c plan_cache_mode=force_generic_plan' });
  await client.connect();
}, 120_000);
afterAll(async () => {
  await client.end();
  await database.close();
});

it('readAccountEvents reads publications among 200,000 sweeps from few buffers, even with a generic plan', async () => {
  const buffers: number[] = [];
  const sql: SqlReader = {
    query: async <R extends object>(text: string, parameters: readonly unknown[]) => {
      buffers.push(await buffersOf(text, parameters));
      return (await client.query<R>(text, [...parameters])).rows;
    },
  };
  const found = await new PostgresLogReader(sql, new MemoryDataKeys()).readAccountEvents('acme', [
    'ConfigurationPublished',
  ]);
  expect(found.map(({ position }) => position)).toEqual([1]);
  expect(buffers).toEqual([expect.any(Number)]);
  expect(buffers[0]).toBeLessThan(20);
}, 120_000);

/** Only a prepared statement has a generic plan, and its parameters are part of `execute`. */
async function buffersOf(text: string, parameters: readonly unknown[]): Promise<number> {
  await client.query(`prepare asked as ${text}`);
  const values = parameters.map((value) =>
    pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value)),
  );
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: Readonly<Record<string, number>> }[] }>(
    `explain (analyze, buffers, format json) execute asked (${values.join()})`,
  );
  await client.query('deallocate asked');
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
}
