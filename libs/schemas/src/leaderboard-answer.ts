import type { LeaderboardDefinition } from '@laurel/kernel';

/** The fields of a leaderboard that every answer shows. */
export function leaderboardFields(board: LeaderboardDefinition) {
  const { id, key, name, description, rankBy, start, end, run, maxParticipants } = board;
  return {
    id,
    key,
    name,
    description,
    rankBy: rankBy.type,
    metricKey: rankBy.type === 'metric' ? rankBy.metric.key : null,
    metricName: rankBy.type === 'metric' ? rankBy.metric.name : null,
    pointsSystemKey: rankBy.type === 'points' ? rankBy.pointsSystem.key : null,
    pointsSystemName: rankBy.type === 'points' ? rankBy.pointsSystem.name : null,
    runUnit: run?.unit ?? null,
    runInterval: run?.interval ?? 0,
    maxParticipants,
    start,
    end,
    breakdownAttribute: null,
    breakdownAttributes: [],
    userAttributes: [],
    startTime: null,
    endTime: null,
  };
}
