import { describeEventStoreContract, startFakeEventStoreDb, systemClock } from '@laurel/testing';
import { EventStoreDbEventStore } from './event-store-db-event-store.ts';

describe.each([true, false])('over a server that tells positions with the events of a stream: %s', (told) => {
  describeEventStoreContract('EventStoreDB (a fake server)', async () => {
    const server = await startFakeEventStoreDb({ positionsInStreams: told });
    const stores: EventStoreDbEventStore[] = [];
    return {
      open: () => {
        const store = new EventStoreDbEventStore(server.url, systemClock);
        stores.push(store);
        return Promise.resolve(store);
      },
      close: async () => {
        for (const store of stores) await store.close();
        await server.stop();
      },
    };
  });
});
