import type { SqlReader } from '@laurel/kernel';
import type { LogWriter } from '@laurel/event-store';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import type { DueUser } from './due-users.ts';
import { projectionMigrations } from '../single-writer/migrations.ts';
import { PostgresBatchStore } from '../single-writer/postgres-batch-store.ts';

const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z');
const USERS = 20_000;
const STEP = 200;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(projectionMigrations);
  await database.sql.query(
    `insert into user_states (account, subject, due_at)
     select 'default', n, case when n % 100 = 0 then null else to_timestamp($2::double precision / 1000) end
     from generate_series(1, $1::int) n`,
    [USERS, MIDNIGHT],
  );
  await database.sql.query(
    "insert into user_states (account, subject, due_at) values ('another', 1, '2026-03-01')",
    [],
  );
  await database.sql.query('analyze user_states', []);
});
afterAll(() => database.close());

const storeOn = (sql: SqlReader) => new PostgresBatchStore({} as LogWriter, sql, new MemoryDataKeys(), []);

describe('20,000 users whose streaks end at the same midnight', () => {
  it('are found step by step, each once, and not before midnight', async () => {
    const store = storeOn(database.sql);
    expect(await store.dueUsers('default', MIDNIGHT - 1, null, STEP)).toEqual([]);
    const found = new Set<number>();
    let last: DueUser | null = null;
    do {
      const step: readonly DueUser[] = await store.dueUsers('default', MIDNIGHT, last, STEP);
      for (const { subject } of step) found.add(subject);
      last = step.at(-1) ?? null;
      expect([STEP, 0]).toContain(step.length);
    } while (last !== null);
    expect(found.size).toBe(19_800);
  });

  it('are read by index in every step, without sorting or filtering', async () => {
    const plans: unknown[] = [];
    const explaining: SqlReader = {
      query: async <R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]> => {
        plans.push(...(await database.sql.query(`explain (analyze, buffers, format json) ${sql}`, parameters)));
        return [];
      },
    };
    for (const subject of [0, 50, 9_990])
      await storeOn(explaining).dueUsers('default', MIDNIGHT, { dueAt: MIDNIGHT, subject }, STEP);
    const text = JSON.stringify(plans);
    expect(text.match(/"Index Name":"user_states_due"/g)).toHaveLength(3);
    expect(text).not.toMatch(/Sort|Seq Scan|Rows Removed by Filter/);
  });
});
