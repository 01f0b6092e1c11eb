import type { LeaderboardDefinition, Metric, PointsSystemDefinition } from '@laurel/kernel';
import type { LeaderboardDocument } from '@laurel/schemas';
import { defined } from './defined.ts';
import { idOf } from './ids.ts';

interface Ranked {
  readonly metricByKey: ReadonlyMap<string, Metric>;
  readonly pointsSystemByKey: ReadonlyMap<string, PointsSystemDefinition>;
}

export function compileLeaderboard(board: LeaderboardDocument, account: string, ranked: Ranked): LeaderboardDefinition {
  const { key, name, description, start, end, runUnit, runInterval, maxParticipants } = board;
  const run = runUnit === null || runInterval === null ? null : { unit: runUnit, interval: runInterval };
  const rankBy = compileRankBy(board, ranked);
  return { id: idOf(account, 'leaderboard', key), key, name, description, rankBy, start, end, run, maxParticipants };
}

function compileRankBy(board: LeaderboardDocument, ranked: Ranked): LeaderboardDefinition['rankBy'] {
  switch (board.rankBy) {
    case 'metric':
      return { type: 'metric', metric: defined(ranked.metricByKey, board.metric ?? '') };
    case 'points': {
      const { key, name } = defined(ranked.pointsSystemByKey, board.pointsSystem ?? '');
      return { type: 'points', pointsSystem: { key, name } };
    }
    case 'streak':
      return { type: 'streak' };
  }
}
