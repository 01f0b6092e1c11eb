export { contributionsByPartition, receivedContributions } from './routed-contributions.ts';
export { boardNameOf, runKeyOf, runNameOf, type BoardRef } from './run-names.ts';
export { leaderboardsPlanOf, type LeaderboardsPlan, type PlannedRun } from './rules/board-plans.ts';
export { BOARDS_NEED, contributionsOf, firstOrdinalOf, type RunContribution } from './rules/contributions.ts';
export {
  begunRuns,
  currentRun,
  daysOnAnyClock,
  isFinal,
  newestFinalRun,
  runHolding,
  runTurns,
  statusOf,
} from './rules/runs.ts';
