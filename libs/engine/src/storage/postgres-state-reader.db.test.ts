import { CountedBuffers, openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { chainServiceMigrations } from '../partitioned/migrations.ts';
import { postgresStateReader } from './postgres-state-reader.ts';
import { ENGINE_MIGRATIONS } from './state-columns.fixture.ts';

/** So many that the primary key has three levels, as it has with a million. */
const USERS = 100_000;
const ASKED = 100;
/** What a read may touch, less what it takes beside the states. */
const MOST_BUFFERS = 250;

describe.each([
  ['one process', ENGINE_MIGRATIONS],
  ['a service', chainServiceMigrations(['streaks'])],
] as const)('the stored states of many users, in the tables of %s', (_, migrations) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(migrations);
    const columns = await database.sql.query(
      "select 1 from information_schema.columns where table_name = 'user_states' and column_name = 'partition'",
      [],
    );
    const [partition, zero] = columns.length > 0 ? [', partition', ', 0'] : ['', ''];
    // In no order, as subjects are random.
    await database.sql.query(
      `insert into user_states (account, subject, streaks${partition})
       select 'default', n * 7919 % 1000003, json_build_object('of', n * 7919 % 1000003, 'rest', repeat('x', 250))${zero}
       from generate_series(1, $1::bigint) n`,
      [USERS],
    );
    await database.sql.query('vacuum analyze user_states', []);
  });
  afterAll(() => database.close());

  it('are read with few buffers and without a scan', async () => {
    const rows = await database.sql.query<{ subject: string }>(
      'select subject from user_states order by md5(subject::text) limit $1',
      [ASKED],
    );
    const subjects = rows.map(({ subject }) => Number(subject));
    const counted = new CountedBuffers(database.sql);
    const states = await postgresStateReader(counted).readAll('default', [...subjects, 1_000_004], 'streaks');
    expect(new Map([...states].map(([subject, state]) => [subject, (state as { of: number }).of]))).toEqual(
      new Map(subjects.map((subject) => [subject, subject])),
    );
    expect(counted.buffers).toBeLessThanOrEqual(MOST_BUFFERS);
    expect([...counted.scanned]).toEqual([]);
  });

  it('are read only for the requested account', async () => {
    const [{ subject }] = (await database.sql.query('select subject from user_states limit 1', [])) as [
      { subject: string },
    ];
    expect(await postgresStateReader(database.sql).readAll('another', [Number(subject)], 'streaks')).toEqual(new Map());
  });
});
