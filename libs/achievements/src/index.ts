export { achievementsArea, type AchievementsState } from './achievements-area.ts';
export { AchievementQueries } from './achievement-queries.ts';
export { achievementsMigrations } from './migrations.ts';
