export { pointsArea } from './points-area.ts';
export { pointsMigrations } from './migrations.ts';
export { PointsQueries, recordedPoints, type PointsExport, type RecordedPoints } from './points-queries.ts';
export type { ExportedAward } from './exported-awards.ts';
export type { InstantRange, RecordedAward } from './every-award.ts';
export { pointsRules, type PointsState } from './rules/points.ts';
export type { PointsPlan } from './rules/points-plan.ts';
export { decodePointsEffects, encodePointsEffects, lastPointsEffects } from './points-effects.ts';
export type { PlacedAward } from './stored-awards.ts';
