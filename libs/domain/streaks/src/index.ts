export { StreakQueries } from './streak-queries.ts';
export { streaksArea } from './streaks-area.ts';
export type { StreaksPlan } from './rules/streaks-plan.ts';
export { streaksRules } from './rules/streaks.ts';
export type { StreaksState } from './rules/streaks-state.ts';
export { isExcused, withExcused, type ExcusedDays } from './rules/excused-days.ts';
