export { pointsArea } from './points-area.ts';
export { pointsMigrations } from './migrations.ts';
export { PointsQueries, type PointsExport } from './points-queries.ts';
export type { ExportedAward } from './exported-awards.ts';
export type { PointsState } from './rules/points-state.ts';
export { levelOf } from './rules/level-of.ts';
export { nextDueAt } from './rules/settle.ts';
export { pointsRules, type PointsPlan } from './rules/points.ts';
export type { PointsState as PointsTotals } from './rules/points.ts';
