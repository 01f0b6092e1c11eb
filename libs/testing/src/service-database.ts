import { MIGRATIONS } from '@laurel/all-areas';
import { dataSourceOf, migrate } from '@laurel/database';
import { openPrepared, type TestDatabase } from './database/index.ts';

/** A fresh database with the empty tables of a service with every area. */
export const openServiceDatabase = (): Promise<TestDatabase> =>
  openPrepared(JSON.stringify(['service', MIGRATIONS]), async (connection) => {
    const dataSource = await dataSourceOf(connection, MIGRATIONS).initialize();
    await migrate(dataSource, connection).finally(() => dataSource.destroy());
  });
