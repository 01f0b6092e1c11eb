export { BoardsOfUser, RANKS } from './boards-of-user.ts';
export { changesInRun, type ChangeInRun } from './changes-in-run.ts';
export { lateRunsChangedBetween, runsChangedAt, type ChangedRun } from './changed-runs.ts';
export type { RunPage } from './export-runs.ts';
export { LeaderboardQueries } from './leaderboard-queries.ts';
export { LEADERBOARDS_STATE_VERSION, LeaderboardsArea } from './leaderboards-area.ts';
export { leaderboardsMigrations } from './migrations.ts';
export { causesIn, type OriginOfChange } from './rules/rank-change-origins.ts';
export { RunBuilder } from './rules/run-builder.ts';
export { compareStandings } from './rules/standing.ts';
export {
  RANK_CHANGES as RANK_HISTORY,
  RUN_COUNTS,
  FINAL_RUN_CHANGES,
  RUN_TOPS,
  STANDINGS,
  readableRows as leaderboardReadableRows,
  tables as leaderboardTables,
} from './tables.ts';
export { viewedBoards } from './rules/viewed-boards.ts';
export { deleteNotifiedTops, topsOfRecords } from './run-tops.ts';
export { rankingsAt } from './run-rankings.ts';
export { rankChangesAt, rankChangesOfCorrection, rankChangesOfRecords, type RunOfUser } from './rank-effects.ts';
