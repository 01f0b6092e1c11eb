import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { dataSourceOf, sqlReader } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([
    { name: '0001-tables', sql: 'create table locked (value integer); create table other (value integer)' },
  ]);
});
afterAll(() => database.close());

it.each([
  ['takes too long', null, { code: '57014' }],
  ['does not answer', 'set local statement_timeout to 0', { message: 'Query read timeout' }],
])(
  'a failed transaction leaves none open in its pool when the database %s',
  async (_, limit, expected) => {
    await database.sql.query('delete from other', []);
    const dataSource = await dataSourceOf(database.connection, []).initialize();
    const holder = new pg.Client(database.connection);
    await holder.connect();
    await holder.query('begin; lock table locked');
    const failed = await dataSource
      .transaction(async (table) => {
        if (limit !== null) await table.query(limit);
        await table.query('insert into locked values (1)');
      })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject(expected);
    await holder.query('rollback');
    await sqlReader(dataSource).query('insert into other values (2)', []);
    expect(await database.sql.query('select value from other', [])).toEqual([{ value: 2 }]);
    await holder.end();
    await dataSource.destroy();
    expect(await database.sql.query('select value from other', [])).toEqual([{ value: 2 }]);
  },
  40_000,
);
