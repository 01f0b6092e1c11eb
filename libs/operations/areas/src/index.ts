export { countEvents, exportState, type ReadModels } from './export-state.ts';
export { logInOrder } from './export/logged-events.ts';
export { Exports, type ExportModels, type WinnersQuery } from './export/exports.ts';
export { ToldReads } from './export/told-reads.ts';
export { openRebuild, type RebuildSource } from './open-rebuild.ts';
export { placesOfUser, type PlacesParts } from './erase/places-of-user.ts';
export { rebuildStopped } from './rebuild-stopped.ts';
export { upgradeStopped, type UpgradeProgress } from './upgrade-stopped.ts';
export { LiveCorrections, type LiveCorrectionsParts } from './corrections/live-corrections.ts';
