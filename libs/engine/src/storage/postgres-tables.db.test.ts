import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { DOCUMENTS, insertRows } from './postgres-tables.ts';
import { ENGINE_MIGRATIONS } from './state-columns.fixture.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(ENGINE_MIGRATIONS);
});
afterAll(() => database.close());

describe('the stored states of a user', () => {
  it('are overwritten in every column by each batch', async () => {
    const columns = await stateColumns();
    const write = async (value: string): Promise<void> => {
      const row = Object.fromEntries(
        columns.map(({ name, type }) => [name, type === 'jsonb' ? value : `${value}-01-01`]),
      );
      const statement = insertRows(DOCUMENTS.name, DOCUMENTS.name, DOCUMENTS.onConflict);
      await database.sql.query(statement, [JSON.stringify([{ account: 'default', subject: 1, ...row }])]);
    };
    await write('2001');
    await write('2002');
    const [stored] = await database.sql.query<{ row: Record<string, string> }>(
      'select to_jsonb(s) as row from user_states s',
      [],
    );
    expect(columns.map(({ name }) => [name, stored?.row[name]?.slice(0, 4)])).toEqual(
      columns.map(({ name }) => [name, '2002']),
    );
  });
});

/** The columns beside the key. */
const stateColumns = (): Promise<{ name: string; type: string }[]> =>
  database.sql.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = 'user_states' and column_name not in ('account', 'subject')`,
    [],
  );
