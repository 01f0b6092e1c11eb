import { describeEventStoreContract, MemoryDataKeys, openTestDatabase, systemClock } from '@laurel/testing';
import { eventStoreMigrations } from '../migrations.ts';
import { PostgresEventStore } from './postgres-event-store.ts';

describeEventStoreContract('Postgres', async () => {
  const database = await openTestDatabase(eventStoreMigrations);
  const stores: PostgresEventStore[] = [];
  return {
    open: async () => {
      const { connection: config, sql } = database;
      const store = await PostgresEventStore.open({ config, sql, keys: new MemoryDataKeys(), clock: systemClock });
      stores.push(store);
      return store;
    },
    close: async () => {
      for (const store of stores) await store.close();
      await database.close();
    },
  };
});
