import { z } from 'zod';
import { count, date, instant, jsonNumber, nextCursor, noUserAttributes, nullableText, uuid, whole } from './fields.ts';
import { named } from './named-object.ts';

/** Described as a text that may be null, because generated types lose a field that can only be null. */
const alwaysNull = nullableText.meta({ description: 'Always null.' });

const boardFields = {
  id: uuid.meta({ description: 'Stays the same whenever the configuration is published again.' }),
  key: z.string().meta({ description: 'Key of the leaderboard.', examples: ['weekly'] }),
  name: z.string().meta({ description: 'Name to show.', examples: ['This week'] }),
  description: nullableText.meta({ description: 'Description to show; null if there is none.' }),
  rankBy: z.enum(['metric', 'points', 'streak']).meta({
    description: 'What users are ranked by: a sum of a metric’s values, of a points system’s awards, or their streak.',
  }),
  metricKey: nullableText.meta({ description: 'Key of the metric; null unless ranked by one.' }),
  metricName: nullableText.meta({ description: 'Name of the metric; null unless ranked by one.' }),
  pointsSystemKey: nullableText.meta({ description: 'Key of the points system; null unless ranked by one.' }),
  pointsSystemName: nullableText.meta({ description: 'Name of the points system; null unless ranked by one.' }),
  runUnit: z
    .enum(['day', 'month', 'year'])
    .nullable()
    .meta({ description: 'Unit of a run’s length; null: there is a single run.' }),
  runInterval: whole.meta({ description: 'Length of a run in units; 0: there is a single run.' }),
  maxParticipants: whole.meta({
    description: 'Maximum number of ranked users. Users beyond it have a value but no rank.',
  }),
  start: date.meta({ description: 'The first date on which anything counts.' }),
  end: date.nullable().meta({ description: 'The last date on which anything counts; null: there is none.' }),
  breakdownAttribute: alwaysNull,
  breakdownAttributes: z.array(z.never()).meta({ description: 'Always empty.' }),
  userAttributes: noUserAttributes,
  startTime: alwaysNull,
  endTime: alwaysNull,
};

const rank = (description: string) => whole.nullable().meta({ description });

/** A board in an event's answer; `start` and `end` are the dates of the run. */
export const leaderboardEntry = named(
  'LeaderboardEventEntry',
  'A leaderboard on which an event changed the user’s value.',
  {
    ...boardFields,
    start: date.meta({ description: 'First date of the run that holds the event.' }),
    end: date.nullable().meta({
      description: 'Last date of the run that holds the event, at most that of the leaderboard; null: it has none.',
    }),
    threshold: jsonNumber.meta({
      description: 'If the leaderboard is full, the value to surpass to be ranked; else 0.',
    }),
    previousRank: rank('The user’s rank directly before the event; 1 is the top. Null: not ranked.'),
    rank: rank('The user’s rank directly after the event; 1 is the top. Null: not ranked.'),
  },
);
export type LeaderboardEntry = z.infer<typeof leaderboardEntry>;

const boardStatus = z.enum(['scheduled', 'active', 'finished']);

/** An element of `GET /v1/leaderboards`. */
export const listedLeaderboard = named('ListedLeaderboard', 'A leaderboard without its rankings.', {
  ...boardFields,
  status: boardStatus.meta({
    description: '`scheduled` before `start` (UTC), `finished` 12 hours after `end` is over in UTC, else `active`.',
  }),
});
export type ListedLeaderboard = z.infer<typeof listedLeaderboard>;

export const ranking = named('Ranking', 'A row of a leaderboard.', {
  userId: z.string().meta({ description: 'The caller’s own identifier of the user.' }),
  userName: nullableText.meta({ description: 'Name to show; null if none was given.' }),
  rank: whole.meta({ description: '1 is the top; no two users have one rank.' }),
  value: jsonNumber.meta({ description: 'What the user is ranked by.' }),
});

const changedAt = instant.nullable().meta({
  description:
    'When the run last changed after it was final: when the import, the correction or the sweep that changed it was recorded; null: it has not.',
});

/** The run that a read shows. */
const runFields = {
  runStart: date
    .nullable()
    .meta({ description: 'First date of the run that is shown; null: the leaderboard has not started.' }),
  runEnd: date.nullable().meta({
    description:
      'Last date of that run, at most that of the leaderboard; null: it has none, or the leaderboard has not started.',
  }),
  changedAt,
};

/** `GET /v1/leaderboards/{key}`. */
export const leaderboard = listedLeaderboard
  .extend({
    ...runFields,
    rankings: z
      .array(ranking)
      .meta({ description: 'The requested rows, best first. Users with 0 or less are not ranked.' }),
  })
  .meta({ id: 'Leaderboard', description: 'A leaderboard with the rankings of one run.' });
export type LeaderboardAnswer = z.infer<typeof leaderboard>;

const rankHistoryElement = named('RankHistoryElement', 'One change of a user’s value on a leaderboard.', {
  timestamp: instant.meta({ description: 'When it changed.' }),
  date: date.meta({ description: 'The date of `timestamp` in the user’s current time zone.' }),
  previousRank: rank('Rank before; null: not ranked.'),
  rank: rank('Rank after; null: not ranked.'),
  previousValue: jsonNumber.nullable().meta({ description: 'Value before; null: none in this run.' }),
  value: jsonNumber.meta({ description: 'Value after.' }),
});

/** `GET /v1/users/{id}/leaderboards/{key}`. */
export const userLeaderboard = named('UserLeaderboard', 'A user’s place on a leaderboard in one run.', {
  ...boardFields,
  ...runFields,
  rank: rank('The user’s present rank in the run; 1 is the top. Null: not ranked.'),
  value: jsonNumber.nullable().meta({ description: 'The user’s value in the run; null: none.' }),
  history: z
    .array(rankHistoryElement)
    .meta({ description: 'The newest changes of the user’s own value in the run, oldest first.' }),
});
export type UserLeaderboard = z.infer<typeof userLeaderboard>;

/** `GET /admin/v1/leaderboards/{key}/runs`. */
export const leaderboardRunPage = named('LeaderboardRunPage', 'A page of the runs of a leaderboard.', {
  runs: z
    .array(
      named('LeaderboardRun', 'A run of a leaderboard.', {
        start: date.meta({ description: 'First date of the run.' }),
        end: date
          .nullable()
          .meta({ description: 'Last date of the run, at most that of the leaderboard; null: it has none.' }),
        participants: count.meta({
          description: 'Users with a value above 0; at most `maxParticipants` of them are ranked.',
        }),
        final: z.boolean().meta({
          description: 'Whether its last date is over in every time zone, so that no live event changes it.',
        }),
        changedAt,
      }),
    )
    .meta({ description: 'Newest first, from the one that started last in any time zone.' }),
  next: nextCursor,
});
export type LeaderboardRunPage = z.infer<typeof leaderboardRunPage>;
