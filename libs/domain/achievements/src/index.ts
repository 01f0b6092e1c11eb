export { achievementsArea } from './achievements-area.ts';
export { AchievementQueries } from './achievement-queries.ts';
export { achievementsRules } from './rules/achievements.ts';
export type { AchievementsPlan } from './rules/achievements-plan.ts';
export { storedSums, type AchievementsState } from './rules/achievements-state.ts';
