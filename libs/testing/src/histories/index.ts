export {
  BEGINNING,
  correctedLives,
  HISTORY_CONFIGURATION,
  lateMistakes,
  lateReportOf,
  lateReports,
  MISTAKE,
  mistakes,
  SETTLING,
  sweptOrNot,
  VERSIONS,
  histories,
  lives,
  type LateReport,
  type Step,
} from './histories.ts';
export { clockAt, emptyBoards, live, liveOn, rebuiltBoards, startEngine, tablesWith, type Living } from './live.ts';
export { lesson } from './lesson.ts';
export { rowsOfEffects } from './rows-of-effects.ts';
export { inSteps, type Cutting } from './in-steps.ts';
export { standingsOf, recordedUserEvents, type Outcome, type Outcomes } from './outcome.ts';
export { createOldSchema, insertOldRecord, type OldRecord } from './old-log.ts';
