import type { UserRef } from '@laurel/kernel';
import { systemClock } from '@laurel/testing/clock';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { describeEventStoreContract } from '@laurel/testing/event-store';
import { startFakeEventStoreDb } from '@laurel/testing/event-store-db';
import { randomUUID } from 'node:crypto';
import { DEFAULT_EVENT_STORE_DB_OPTIONS, EventStoreDbEventStore } from './event-store-db-event-store.ts';

describe.each([true, false])('on a server that returns positions with the events of a stream: %s', (told) => {
  describeEventStoreContract('EventStoreDB (a fake server)', async () => {
    const server = await startFakeEventStoreDb({ positionsInStreams: told });
    return logOn(server.url, () => server.stop());
  });
});

const realServer = process.env['LAUREL_EVENTSTORE_URL'];
if (realServer)
  describeEventStoreContract(`EventStoreDB (a real server: ${new URL(realServer).host})`, () =>
    Promise.resolve(logOn(realServer, () => Promise.resolve())),
  );

/** A log of its own on that server, empty at first. */
function logOn(url: string, stop: () => Promise<void>) {
  const options = { ...DEFAULT_EVENT_STORE_DB_OPTIONS, streamPrefix: `test-laurel-${randomUUID()}-` };
  const keys = new MemoryDataKeys();
  const stores: EventStoreDbEventStore[] = [];
  return {
    open: () => {
      const store = new EventStoreDbEventStore(url, systemClock, keys, options);
      stores.push(store);
      return Promise.resolve(store);
    },
    destroyKey: (user: UserRef) => keys.destroy(user),
    close: async () => {
      for (const store of stores) await store.close();
      await stop();
    },
  };
}
