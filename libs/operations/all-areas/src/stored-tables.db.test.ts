import { openTestDatabase } from '@laurel/testing/database';
import { MIGRATIONS } from './all-migrations.ts';
import { STORED_TABLES } from './stored-tables.ts';

describe('STORED_TABLES', () => {
  it('lists the tables that the migrations create', async () => {
    const database = await openTestDatabase(MIGRATIONS);
    try {
      const made = await database.sql.query<{ readonly name: string }>(
        'select tablename::text as name from pg_tables where schemaname = current_schema() order by 1',
        [],
      );
      expect(made.map(({ name }) => name)).toEqual([...STORED_TABLES].sort());
    } finally {
      await database.close();
    }
  });
});
