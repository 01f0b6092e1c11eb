import { StoreUnavailableError } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { dataSourceOf, migrate, sqlReader } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([]);
});
afterAll(() => database.close());

describe('what a server answers to a statement', () => {
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
    ['its memory is used up', '53200'],
    ['it is cancelled, or takes longer than the server allows', '57014'],
    ['a lock is not given in time', '55P03'],
    ['it met another transaction', '40001'],
  ])('says nothing about what is stored if %s', async (_, code) => {
    const error = await failedWith(code);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({ message: 'the database cannot carry this out now: it failed' });
  });

  it.each([
    ['a value that cannot be read', '22P02'],
    ['a damaged row', 'XX001'],
    ['a block that cannot be read', '58030'],
    ['a table that is not there', '42P01'],
  ])('is passed on if it is about %s', async (_, code) => {
    expect(await failedWith(code)).toMatchObject({ code });
  });
});

it('carries migrations out by their numbers, however many digits they have', async () => {
  const own = await openTestDatabase([
    { name: '10001-added', sql: 'alter table first add column second integer' },
    { name: '2001-created', sql: 'create table first (first integer)' },
  ]);
  expect(await own.sql.query('select first, second from first', [])).toEqual([]);
  await own.close();
});

it('lets a migration take longer than a statement may', async () => {
  const migrations = [{ name: '0001-long', sql: 'select pg_sleep(9)' }];
  const dataSource = await dataSourceOf(database.connection, migrations).initialize();
  try {
    await migrate(dataSource, database.connection);
  } finally {
    await dataSource.destroy();
  }
}, 40_000);
