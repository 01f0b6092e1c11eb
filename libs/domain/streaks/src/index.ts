export { StreakQueries } from './streak-queries.ts';
export { streaksArea } from './streaks-area.ts';
export { streaksRules, type StreaksPlan, type StreaksState } from './rules/streaks.ts';
export { isExcused, withExcused, type ExcusedDays } from './rules/excused-days.ts';
export { viewStreak } from './rules/streak-view.ts';
