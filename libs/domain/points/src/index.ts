export { firedAwardId } from './award-id.ts';
export { awardsOf } from './awards.ts';
export { pointsArea } from './points-area.ts';
export { PointsQueries, recordedPoints, type RecordedPoints } from './points-queries.ts';
export type { InstantRange, RecordedAward } from './every-award.ts';
export { pointsRules, type PointsState } from './rules/points.ts';
export type { PointsPlan } from './rules/points-plan.ts';
export { encodePointsEffects, lastPointsEffects } from './points-effects.ts';
export type { PlacedAward } from './stored-awards.ts';
