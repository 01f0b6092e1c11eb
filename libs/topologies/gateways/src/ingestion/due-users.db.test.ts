import { chainServiceMigrations, type DueUser } from '@laurel/engine';
import type { SqlReader } from '@laurel/kernel';
import { schemaOf } from '@laurel/processes';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { dueUsers } from './due-users.ts';

const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z');
const STEP = 200;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([
    ...inSchema(schemaOf('streaks'), ['users', 'streaks']),
    ...inSchema(schemaOf('points'), ['points']),
  ]);
  for (const schema of [schemaOf('streaks'), schemaOf('points')]) {
    await database.sql.query(
      `insert into ${schema}.user_states (account, subject, partition, due_at)
       select 'default', n, 0, to_timestamp($1::double precision / 1000) from generate_series(1, 5000) n`,
      [MIDNIGHT],
    );
    await database.sql.query(`analyze ${schema}.user_states`, []);
  }
  await database.sql.query(`update ${schemaOf('points')}.user_states set due_at = '2026-03-01' where subject = 7`, []);
});
afterAll(() => database.close());

const inSchema = (schema: string, columns: readonly string[]) =>
  chainServiceMigrations(columns).map(({ name, sql }, index) => ({
    name: `${name}-${schema}`,
    sql: `${index === 0 ? `create schema ${schema};` : ''} set local search_path to ${schema}; ${sql}; set local search_path to public;`,
  }));

describe('dueUsers', () => {
  it('returns users with the same due time in steps, the longest waiting first, across services', async () => {
    const found: DueUser[] = [];
    let step: readonly DueUser[];
    do {
      step = await dueUsers(database.sql)('default', MIDNIGHT, found.at(-1) ?? null, STEP);
      found.push(...step);
    } while (step.length === STEP);
    expect(found[0]).toEqual({ subject: 7, dueAt: Date.parse('2026-03-01T00:00:00Z') });
    expect(new Set(found.map(({ subject }) => subject)).size).toBe(5_000);
  });

  it('reads a bounded number of rows of each service per step', async () => {
    const plans: unknown[] = [];
    const explaining: SqlReader = {
      query: async <R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]> => {
        plans.push(...(await database.sql.query(`explain (analyze, format json) ${sql}`, parameters)));
        return [];
      },
    };
    await dueUsers(explaining)('default', MIDNIGHT, { dueAt: MIDNIGHT, subject: 50 }, STEP);
    const text = JSON.stringify(plans);
    expect(text.match(/"Index Name":"user_states_due"/g)).toHaveLength(2);
    expect(text).not.toMatch(/Seq Scan|Rows Removed by Filter/);
    const read = [...text.matchAll(/"Actual Rows":(\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...read)).toBeLessThanOrEqual(2 * STEP);
  });
});
