export { achievementsArea } from './achievements-area.ts';
export { AchievementQueries } from './achievement-queries.ts';
export { achievementsRules, type AchievementsPlan, type AchievementsState } from './rules/achievements.ts';
