import { z } from 'zod';
import { date, instant, jsonNumber, noUserAttributes } from './fields.ts';

const boardFields = {
  id: z.string(),
  key: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  rankBy: z.enum(['metric', 'points', 'streak']),
  metricKey: z.string().nullable(),
  metricName: z.string().nullable(),
  pointsSystemKey: z.string().nullable(),
  pointsSystemName: z.string().nullable(),
  runUnit: z.enum(['day', 'month', 'year']).nullable(),
  runInterval: z.number().int(),
  maxParticipants: z.number().int(),
  start: date,
  end: date.nullable(),
  breakdownAttribute: z.null(),
  breakdownAttributes: z.array(z.never()),
  userAttributes: noUserAttributes,
  startTime: z.null(),
  endTime: z.null(),
};

const rank = z.number().int().nullable();

/** A board in an event's answer; `start` and `end` are the run's. */
export const leaderboardEntry = z
  .object({ ...boardFields, threshold: jsonNumber, previousRank: rank, rank })
  .meta({ id: 'LeaderboardEventEntry' });
export type LeaderboardEntry = z.infer<typeof leaderboardEntry>;

export const boardStatus = z.enum(['scheduled', 'active', 'finished']);

/** An element of `GET /v1/leaderboards`. */
export const listedLeaderboard = z.object({ ...boardFields, status: boardStatus }).meta({ id: 'ListedLeaderboard' });
export type ListedLeaderboard = z.infer<typeof listedLeaderboard>;

export const ranking = z
  .object({ userId: z.string(), userName: z.string().nullable(), rank: z.number().int(), value: jsonNumber })
  .meta({ id: 'Ranking' });

/** `GET /v1/leaderboards/{key}`. */
export const leaderboard = listedLeaderboard.extend({ rankings: z.array(ranking) }).meta({ id: 'Leaderboard' });
export type LeaderboardAnswer = z.infer<typeof leaderboard>;

export const rankHistoryElement = z
  .object({
    timestamp: instant,
    date,
    previousRank: rank,
    rank,
    previousValue: jsonNumber.nullable(),
    value: jsonNumber,
  })
  .meta({ id: 'RankHistoryElement' });

/** `GET /v1/users/{id}/leaderboards/{key}`. */
export const userLeaderboard = z
  .object({ ...boardFields, rank, value: jsonNumber.nullable(), history: z.array(rankHistoryElement) })
  .meta({ id: 'UserLeaderboard' });
export type UserLeaderboard = z.infer<typeof userLeaderboard>;
