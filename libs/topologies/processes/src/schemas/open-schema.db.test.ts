import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { openSchema } from './open-schema.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([]);
});
afterAll(() => database.close());

it('a named statement is planned once, even if a plan for its values seems cheaper', async () => {
  const sql = 'create table log (position bigint primary key); insert into log select generate_series(1, 10000)';
  const schema = await openSchema(database.connection, 'laurel_query', [{ name: '0001-log', sql }]);
  const { statements } = schema;
  try {
    for (let position = 9_990; position < 10_000; position++)
      await statements.query('read-log', 'select * from log where position > $1 order by position limit $2', [
        position,
        500,
      ]);
    const planned = 'select generic_plans::int, custom_plans::int from pg_prepared_statements where name = $1';
    expect(await statements.query('planned', planned, ['read-log'])).toEqual([{ generic_plans: 10, custom_plans: 0 }]);
  } finally {
    await schema.close();
  }
});
