import { ManualClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { dataSourceOf, sqlReader } from './database.ts';
import { StorageUse } from './storage-use.ts';

/** A role belongs to the whole server, which other tests use too. */
const ROLE = `storage_use_${process.pid}`;
const ROWS = 5_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([]);
  for (const name of ['events', 'totals', 'strangers']) {
    await database.sql.query(`create table ${name} (id int primary key, filler text)`, []);
    await database.sql.query(`insert into ${name} select n, repeat('x', 200) from generate_series(1, ${ROWS}) n`, []);
  }
  await database.sql.query('create schema other', []);
  await database.sql.query('create table other.totals as select * from totals', []);
});
afterAll(async () => {
  await database.sql.query(`drop owned by ${ROLE}`, []).catch(() => undefined);
  await database.sql.query(`drop role if exists ${ROLE}`, []);
  await database.close();
});

const statusFor = (
  tables: { schemas: readonly string[] | null; names: readonly string[] | null },
  sql = database.sql,
) => new StorageUse({ sql, clock: new ManualClock(), tables, records: () => ROWS, space: null }).current();

const sizeOf = async (expression: string): Promise<number> => {
  const [row] = await database.sql.query<{ readonly bytes: string }>(`select (${expression})::text as bytes`, []);
  return Number(row?.bytes);
};

describe('the storage use of a database', () => {
  it('covers event store, read models and indexes, and no other tables', async () => {
    const status = await statusFor({ schemas: null, names: ['events', 'totals'] });
    expect(status).toMatchObject({
      logBytes: await sizeOf(`pg_table_size('events')`),
      readModelBytes: await sizeOf(`pg_table_size('totals')`),
      indexBytes: await sizeOf(`pg_indexes_size('events') + pg_indexes_size('totals')`),
    });
    expect(status?.logBytes).toBeGreaterThan(200 * ROWS);
    expect(status?.databaseBytes).toBeGreaterThan(4 * 200 * ROWS);
  });

  it('covers all tables of the given schemas', async () => {
    expect(await statusFor({ schemas: ['other', 'absent'], names: null })).toMatchObject({
      logBytes: 0,
      readModelBytes: await sizeOf(`pg_table_size('other.totals')`),
      indexBytes: 0,
    });
  });

  it('includes the write-ahead log only if the user may list its files', async () => {
    await database.sql.query(`create role ${ROLE} login password 'storage'`, []);
    const asUser = async () => {
      const dataSource = await dataSourceOf(
        { ...database.connection, user: ROLE, password: 'storage' },
        [],
      ).initialize();
      try {
        return await statusFor({ schemas: null, names: null }, sqlReader(dataSource));
      } finally {
        await dataSource.destroy();
      }
    };
    expect(await asUser()).toMatchObject({ walBytes: null, unknown: { walBytes: expect.any(String) } });
    await database.sql.query(`grant pg_monitor to ${ROLE}`, []);
    const status = await asUser();
    expect(status?.unknown).not.toHaveProperty('walBytes');
    expect(status?.walBytes).toBeGreaterThanOrEqual(16 * 1024 * 1024);
  });
});
