import type {
  BoardRun,
  Configuration,
  LeaderboardDefinition,
  PointsSystemDefinition,
  ViewRequest,
} from '@laurel/contracts';
import { runHolding } from './runs.ts';

export interface ViewedBoard {
  readonly board: LeaderboardDefinition;
  readonly run: BoardRun;
}

/**
 * The boards that a replay of an event names: ranked by its metric, or by a points system with a metric trigger of it, in
 * the run of the original event's date; in configuration order, not outside of start and end (specification, section 3).
 */
export function viewedBoards(request: ViewRequest, configuration: Configuration): readonly ViewedBoard[] {
  return configuration.leaderboards.flatMap((board) => {
    const run = concerns(board, request.metric, configuration) ? runHolding(board, request.originalDate) : null;
    return run === null ? [] : [{ board, run }];
  });
}

function concerns({ rankBy }: LeaderboardDefinition, metric: string, configuration: Configuration): boolean {
  switch (rankBy.type) {
    case 'metric':
      return rankBy.metric.key === metric;
    case 'points':
      return isMovedBy(configuration.pointsSystemByKey.get(rankBy.pointsSystem.key), metric);
    case 'streak':
      return false;
  }
}

function isMovedBy(system: PointsSystemDefinition | undefined, metric: string): boolean {
  return system?.triggers.some((trigger) => trigger.type === 'metric' && trigger.metric.key === metric) ?? false;
}
