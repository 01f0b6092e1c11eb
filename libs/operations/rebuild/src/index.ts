export { openRebuild, type RebuildSource } from './open-rebuild.ts';
export { rebuildStopped } from './rebuild-stopped.ts';
export { upgradeStopped, type UpgradeProgress } from './upgrade-stopped.ts';
