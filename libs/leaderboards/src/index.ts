export type { ExportedRun } from './export-rankings.ts';
export { LeaderboardQueries } from './leaderboard-queries.ts';
export { LEADERBOARDS_STATE_VERSION, LeaderboardsArea, type LeaderboardsAreaOptions } from './leaderboards-area.ts';
export { leaderboardsMigrations } from './migrations.ts';
export { touchedBoards } from './rules/contributions.ts';
export { RankIndex } from './rules/rank-index.ts';
export { currentRun, isFinal, lastRun, runHolding, statusOf, type BoardDates } from './rules/runs.ts';
export { compareStandings, scoreOf, type Standing } from './rules/standing.ts';
export { RANK_CHANGES as RANK_HISTORY, tables as leaderboardTables } from './tables.ts';
