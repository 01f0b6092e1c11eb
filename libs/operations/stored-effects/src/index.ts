export { causedEffects, type CausedDependencies } from './outgoing/caused-effects.ts';
export { changedFinalRuns } from './outgoing/changed-final-runs.ts';
export { runsOfRecords } from './outgoing/runs-of-records.ts';
export { storedAnswers, type AnsweredEvent } from './stored-answers.ts';
export { storedVerdicts } from './stored-verdicts.ts';
export { LiveLog } from './live-log.ts';
export {
  effectsByArea,
  effectsInOrder,
  mergedEffects,
  readersOfEffects,
  storedEffects,
  storedEffectsOfUser,
  withoutFirstPoints,
  type EffectsPlace,
  type EffectsRow,
  type SqlOfArea,
} from './stored-effects.ts';
export { daysOf, runsOf } from './runs-of-record.ts';
