export { openRebuild } from './open-rebuild.ts';
export { rebuildStopped } from './rebuild-stopped.ts';
export { upgradeStopped } from './upgrade-stopped.ts';
