export { achievementsArea } from './achievements-area.ts';
export { AchievementQueries } from './achievement-queries.ts';
export { achievementsMigrations } from './migrations.ts';
export { achievementsRules, type AchievementsPlan } from './rules/achievements.ts';
export type { AchievementsState as AchievementBits } from './rules/achievements.ts';
