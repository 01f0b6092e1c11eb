import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { chainServiceMigrations } from './migrations.ts';
import type { PreparedStatements } from './postgres-partition-store.ts';
import { StaleStatesError, assertStateVersions } from './state-versions.ts';

let database: TestDatabase;
let pool: pg.Pool;
let statements: PreparedStatements;

beforeAll(async () => {
  database = await openTestDatabase(chainServiceMigrations(['users', 'streaks']));
  pool = new pg.Pool({ ...database.connection, max: 4 });
  statements = {
    query: async <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
      (await pool.query<R>({ name, text, values: [...values] })).rows,
  };
});
afterAll(async () => {
  await pool.end();
  await database.close();
});
beforeEach(() => database.sql.query('truncate input_partitions, area_versions', []));

const VERSIONS = new Map([
  ['users', 3],
  ['streaks', 5],
]);
const assert = (versions: ReadonlyMap<string, number> = VERSIONS) =>
  assertStateVersions(statements, versions, 'users,streaks');
const noted = () => database.sql.query('select area, state_version, step from area_versions order by area', []);
const storeSomething = () =>
  database.sql.query(`insert into input_partitions (partition, next_offset) values (0, 1)`, []);

const NOTED = [
  { area: 'streaks', state_version: 5, step: 'users,streaks' },
  { area: 'users', state_version: 3, step: 'users,streaks' },
];

describe('the stored state versions of a service', () => {
  it('are noted in an empty schema, and accepted from then on', async () => {
    await assert();
    await storeSomething();
    await assert();
    expect(await noted()).toEqual(NOTED);
  });

  it('stop the start if states of another version are stored, and stay as noted', async () => {
    await assert();
    await storeSomething();
    const another = assert(new Map([...VERSIONS, ['streaks', 6]]));
    await expect(another).rejects.toThrow(StaleStatesError);
    await expect(another).rejects.toThrow('streaks (stored: 5, of this release: 6) has another form');
    expect(await noted()).toEqual(NOTED);
  });

  it('stop the start if states are stored without a noted version', async () => {
    await storeSomething();
    await expect(assert()).rejects.toThrow('users (stored: none, of this release: 3)');
    expect(await noted()).toEqual([]);
  });

  it('are accepted by an instance that starts while another notes them', async () => {
    const other = await pool.connect();
    try {
      await other.query('begin');
      await other.query(
        `insert into area_versions values ('users', 3, 'users,streaks'), ('streaks', 5, 'users,streaks')`,
      );
      const starting = assert();
      await untilOneWaits();
      await other.query('commit');
      await expect(starting).resolves.toBeUndefined();
    } finally {
      other.release();
    }
  });
});

async function untilOneWaits(): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await database.sql.query(waiting, [])).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
