export { USER_AREAS } from './user-areas.ts';
export { MIGRATIONS, MIGRATIONS_OF_AREA } from './all-migrations.ts';
export { DIGESTED_AREAS } from './digested-areas.ts';
export { countEvents, exportState, type ReadModels } from './export-state.ts';
export { logInOrder } from './export/logged-events.ts';
export { Exports, type ExportModels, type WinnersQuery } from './export/exports.ts';
export { ToldReads } from './export/told-reads.ts';
export { assertReadable } from './assert-readable.ts';
export { openReads, type AreaReads } from './open-reads.ts';
export { openRebuild, type RebuildSource } from './open-rebuild.ts';
export { causedEffects, type CausedParts } from './outgoing/caused-effects.ts';
export { changedFinalRuns } from './outgoing/changed-final-runs.ts';
export { runsOfRecords } from './outgoing/runs-of-records.ts';
export { placesOfUser, type PlacesParts } from './erase/places-of-user.ts';
export { storedDigest, storedNames } from './stored-digest.ts';
export { STORED_TABLES } from './stored-tables.ts';
export { rebuildStopped } from './rebuild-stopped.ts';
export { upgradeStopped, type UpgradeProgress } from './upgrade-stopped.ts';
export type { Conservation } from './verify/comparison.ts';
export { verifyOnlyLog } from './verify/verify-only-log.ts';
export { verifyStored, type ScatteredTables, type StoredVerification } from './verify/verify-stored.ts';
export { planOf, type Plan } from './applying/plan.ts';
export {
  applyToUser,
  decodeStates,
  draftOf,
  dueAtOf,
  encodeStates,
  newUser,
  underPlan,
  type UserStates,
} from './applying/user-states.ts';
export { LiveCorrections, type LiveCorrectionsParts } from './corrections/live-corrections.ts';
export { storedSections, type AppliedRecord, type StoredSectionsParts } from './explain/stored-sections.ts';
export { LiveLog, type LiveLogParts } from './explain/live-log.ts';
export { Explainer, MOST_FOLDED_EVENTS, type ExplainerParts } from './explain/explainer.ts';
