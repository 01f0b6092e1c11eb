export { isReadyOnlyIfItRecords, refusals, useUpWal } from './full-disk.ts';
export { freezeFor, processTree, signalTree } from './process-tree.ts';
export { startOwnServer, type OwnServer } from './own-server.ts';
export { HELD_MS, openKilledService, until, type KilledService } from './killed-service.ts';
export { openSmallDisk, type SmallDisk, type SmallDiskOptions } from './small-disk.ts';
export { freePort } from './tools.ts';
export { startStandalone, type StandaloneUnderTest } from './standalone.ts';
export {
  lookAt,
  showsInStatus,
  type Sight,
  type Sighting,
  type WatchedService,
  type WatchOptions,
} from './status-watch.ts';
