import { runHolding } from '@laurel/contributions';
import type {
  Configuration,
  LeaderboardDefinition,
  PointsSystemDefinition,
  ViewRequest,
  BoardRun,
} from '@laurel/kernel';

export interface ViewedBoard {
  readonly board: LeaderboardDefinition;
  readonly run: BoardRun;
}

/**
 * The boards in the answer to a replay, in configuration order: boards that rank by the event's metric, by a points
 * system with a trigger on this metric, or by the system of a grant. Each shows the run of the original event's date;
 * boards without such a run are left out (specification, section 3).
 */
export function viewedBoards(request: ViewRequest, configuration: Configuration): readonly ViewedBoard[] {
  return configuration.leaderboards.flatMap((board) => {
    const run = concerns(board, request, configuration) ? runHolding(board, request.originalDate) : null;
    return run === null ? [] : [{ board, run }];
  });
}

function concerns(
  { rankBy }: LeaderboardDefinition,
  { metric, pointsSystem }: ViewRequest,
  configuration: Configuration,
): boolean {
  switch (rankBy.type) {
    case 'metric':
      return rankBy.metric.key === metric;
    case 'points':
      return (
        rankBy.pointsSystem.key === pointsSystem ||
        isMovedBy(configuration.pointsSystemByKey.get(rankBy.pointsSystem.key), metric)
      );
    case 'streak':
      return false;
  }
}

function isMovedBy(system: PointsSystemDefinition | undefined, metric: string | null): boolean {
  return system?.triggers.some((trigger) => trigger.type === 'metric' && trigger.metric.key === metric) ?? false;
}
