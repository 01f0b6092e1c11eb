import { systemClock } from '@laurel/testing/clock';
import { openTestDatabase } from '@laurel/testing/database';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { describeEventStoreContract } from '@laurel/testing/event-store';
import { eventStoreMigrations } from '../migrations.ts';
import { PostgresEventStore } from './postgres-event-store.ts';

/** What an erasure deletes. */
const DIRECTORY = {
  name: '9999-directory',
  sql: 'create table subjects (account text, user_id text, subject bigint)',
};

describeEventStoreContract('Postgres', async () => {
  const database = await openTestDatabase([...eventStoreMigrations, DIRECTORY]);
  const keys = new MemoryDataKeys();
  const stores: PostgresEventStore[] = [];
  return {
    open: async () => {
      const { config, sql } = database;
      const store = await PostgresEventStore.open({ config, sql, keys, clock: systemClock });
      stores.push(store);
      return store;
    },
    destroyKey: (user) => keys.destroy(user),
    close: async () => {
      for (const store of stores) await store.close();
      await database.close();
    },
  };
});
