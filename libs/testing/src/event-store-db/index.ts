export { everythingHeld } from './everything-held.ts';
export { startFakeCluster, type FakeCluster } from './fake-cluster.ts';
export { startFakeEventStoreDb, type FakeEventStoreDb, type FakeEventStoreDbOptions } from './fake-event-store-db.ts';
export type { FakeFault } from './fake-faults.ts';
