export { streaksMigrations } from './migrations.ts';
export { readStreak } from './rules/read-streak.ts';
export { streakDueAt } from './rules/streak-due.ts';
export type { Streak, StreakState } from './rules/streak-state.ts';
export { decodeStreakState } from './state-codec.ts';
export { StreakQueries, type KeptStreakPeriod } from './streak-queries.ts';
export { streaksArea } from './streaks-area.ts';
export { streaksRules, type StreaksPlan, type StreaksState } from './rules/streaks.ts';
export { viewStreak } from './rules/streak-view.ts';
