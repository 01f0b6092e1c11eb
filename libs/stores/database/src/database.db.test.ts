import { StoreUnavailableError } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { dataSourceOf, migrate, sqlReader } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([]);
});
afterAll(() => database.close());

describe('an error of the database server', () => {
  const failedWith = async (code: string): Promise<unknown> => {
    const dataSource = await dataSourceOf(database.connection, []).initialize();
    try {
      const raising = `do $$ begin raise exception 'it failed' using errcode = '${code}'; end $$`;
      return await sqlReader(dataSource)
        .query(raising, [])
        .catch((error: unknown) => error);
    } finally {
      await dataSource.destroy();
    }
  };

  it.each([
    ['a disk is full', '53100'],
    ['the server is out of memory', '53200'],
    ['the statement is cancelled or exceeds the time limit of the server', '57014'],
    ['a lock is not obtained in time', '55P03'],
    ['it conflicts with another transaction', '40001'],
  ])('means that the store is unavailable if %s', async (_, code) => {
    const error = await failedWith(code);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({ message: 'the database cannot carry this out now: it failed' });
  });

  it.each([
    ['a value that cannot be read', '22P02'],
    ['a damaged row', 'XX001'],
    ['a block that cannot be read', '58030'],
    ['a missing table', '42P01'],
  ])('is passed on if it concerns %s', async (_, code) => {
    expect(await failedWith(code)).toMatchObject({ code });
  });
});

it('migrate runs migrations in numeric order, however many digits their numbers have', async () => {
  const own = await openTestDatabase([
    { name: '10001-added', sql: 'alter table first add column second integer' },
    { name: '2001-created', sql: 'create table first (first integer)' },
  ]);
  expect(await own.sql.query('select first, second from first', [])).toEqual([]);
  await own.close();
});

it('migrate may take longer than the statement timeout', async () => {
  const migrations = [{ name: '0001-long', sql: 'select pg_sleep(9)' }];
  const dataSource = await dataSourceOf(database.connection, migrations).initialize();
  try {
    await migrate(dataSource, database.connection);
  } finally {
    await dataSource.destroy();
  }
}, 40_000);
