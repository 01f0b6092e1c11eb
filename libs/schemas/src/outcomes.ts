import { z } from 'zod';
import type { OutcomeType } from '@laurel/kernel';
import { achievement } from './achievement.ts';
import { date, instant, jsonNumber, jsonWhole, uuid } from './fields.ts';
import { leaderboard, userLeaderboard } from './leaderboard.ts';
import { eventPoints, level } from './points.ts';
import { userStreak } from './streak.ts';
import { user } from './user.ts';

const head = <Type extends OutcomeType>(type: Type) => ({
  id: uuid.meta({ description: 'Derived from the outcome itself: an outcome that is sent again has the same id.' }),
  type: z.literal(type).meta({ description: 'What happened.' }),
  timestamp: instant.meta({ description: 'When it happened.' }),
  sequence: z
    .number()
    .int()
    .min(1)
    .meta({
      description: 'Its place among all outcomes of the account, which are in the order of the log.',
      examples: [1],
    }),
});

const ofUser = { user: user.meta({ description: 'The user, as they were when the outcome was made.' }) };

/** Of reads, without what is of their own instant. */
const outcomeStreak = userStreak
  .omit({ streakHistory: true, pauses: true })
  .meta({ id: 'OutcomeStreak', description: 'A streak that is alive, as an event left it.' });

const outcomeLeaderboard = userLeaderboard
  .omit({ history: true, changedAt: true })
  .meta({ id: 'OutcomeLeaderboard', description: 'A user’s place on a leaderboard in one run, after an event.' });

const outcomeRankings = leaderboard
  .omit({ status: true, changedAt: true })
  .meta({ id: 'OutcomeRankings', description: 'A leaderboard with the first rankings of one run, after an event.' });

const freezes = z.number().int().min(0);

const outcomeCorrection = z
  .object({
    eventId: uuid.meta({ description: 'The event that now counts differently.' }),
    retracted: z.boolean().meta({ description: 'Whether the event no longer counts.' }),
    value: jsonNumber.optional().meta({ description: 'Only if it was changed: the value with which it counts.' }),
    timestamp: instant.optional().meta({ description: 'Only if it was changed: the instant at which it counts.' }),
    tz: z
      .string()
      .optional()
      .meta({
        description: 'Only if it was changed: the user’s clock from this event on.',
        examples: ['Europe/Berlin'],
      }),
  })
  .meta({ id: 'OutcomeCorrection', description: 'What was corrected of one event.' });

/** Outcomes that an earlier release made lack them. */
const changedFinalRuns = {
  finalRuns: z
    .array(
      z
        .object({
          leaderboard: z.string().meta({ description: 'Key of the leaderboard.', examples: ['weekly'] }),
          run: date.meta({ description: 'First date of the run.' }),
          runEnd: date.meta({ description: 'Last date of the run.' }),
        })
        .meta({ id: 'ChangedFinalRun', description: 'A run that changed after it was final.' }),
    )
    .max(100)
    .optional()
    .meta({
      description:
        'The runs that changed after they were final, newest first, at most 100: read them again. `leaderboard.finished` is not sent again. Absent if an earlier release made the outcome.',
    }),
  finalRunsLeftOut: z
    .number()
    .int()
    .min(0)
    .optional()
    .meta({ description: 'How many more such runs there are.', examples: [0] }),
};

const named = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).meta({ id, description });

const streakFields = {
  ...ofUser,
  streak: outcomeStreak.meta({ description: 'The streak after the event. Its period is the one that was met.' }),
};

const AT_RISK = 'A period is not met yet, and it is time to remind the user.';

const atRiskFields = {
  ...ofUser,
  streak: outcomeStreak.meta({ description: 'The streak that is at risk.' }),
  expiresAt: instant.meta({ description: 'When it ends, or a freeze is used, unless the period is met before.' }),
  missing: z
    .array(
      z
        .object({
          metric: z.string().meta({ description: 'The key of the metric.', examples: ['commits'] }),
          missing: jsonNumber.meta({
            description: 'What is missing in the period; 0: the condition is met.',
            examples: [1],
          }),
        })
        .meta({ id: 'OutcomeMissing', description: 'What is missing to meet a condition of the streak.' }),
    )
    .meta({ description: 'The conditions of the streak, in the order of the configuration.' }),
};

const recap = z
  .object({
    periodStart: date.meta({ description: 'First date of the week.' }),
    periodEnd: date.meta({ description: 'Last date of the week.' }),
    totals: z.record(z.string(), jsonNumber).meta({
      description: 'The sum of the values of these dates by metric; a metric without an event is absent.',
      examples: [{ commits: 12 }],
    }),
    points: z.record(z.string(), jsonWhole).meta({
      description: 'The total of each points system when the outcome was made.',
      examples: [{ xp: 120 }],
    }),
    streakLength: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'The length of the streak when the outcome was made; 0: none is alive.', examples: [5] }),
  })
  .meta({ id: 'OutcomeRecap', description: 'What a user did in a week.' });

const reactivation = z
  .object({
    messageNumber: z
      .number()
      .int()
      .min(1)
      .meta({ description: '1: the first since the last event.', examples: [1] }),
    daysSinceLastActive: z
      .number()
      .int()
      .min(1)
      .meta({ description: 'Days of 24 hours since the last event.', examples: [3] }),
  })
  .meta({ id: 'OutcomeReactivation', description: 'A reminder to a user without recent events.' });

const achievementFields = {
  ...ofUser,
  achievement: achievement.meta({ description: 'The achievement, with when it was completed.' }),
};

/** The body of each type. */
export const OUTCOME_BODIES = {
  'achievement.completed': named('AchievementCompletedOutcome', 'A user completed an achievement.', {
    ...head('achievement.completed'),
    ...achievementFields,
  }),
  'emails.achievement_due': named('AchievementDueOutcome', 'A user completed an achievement, and can be told.', {
    ...head('emails.achievement_due'),
    ...achievementFields,
  }),
  'streak.started': named('StreakStartedOutcome', 'A user met the first period of a new streak.', {
    ...head('streak.started'),
    ...streakFields,
  }),
  'streak.extended': named('StreakExtendedOutcome', 'A user met another period of a streak.', {
    ...head('streak.extended'),
    ...streakFields,
  }),
  'streak.at_risk': named('StreakAtRiskOutcome', AT_RISK, { ...head('streak.at_risk'), ...atRiskFields }),
  'emails.streak_reminder_due': named('StreakReminderDueOutcome', AT_RISK, {
    ...head('emails.streak_reminder_due'),
    ...atRiskFields,
  }),
  'emails.recap_due': named('RecapDueOutcome', 'It is time to tell a user what they did in a week.', {
    ...head('emails.recap_due'),
    ...ofUser,
    recap: recap.meta({ description: 'The week.' }),
  }),
  'emails.reactivation_due': named('ReactivationDueOutcome', 'Nothing was reported of a user for so many days.', {
    ...head('emails.reactivation_due'),
    ...ofUser,
    reactivation: reactivation.meta({ description: 'Which reminder it is.' }),
  }),
  'streak.lost': named('StreakLostOutcome', 'A streak ended.', {
    ...head('streak.lost'),
    ...ofUser,
    length: z
      .number()
      .int()
      .min(1)
      .meta({ description: 'The length that the streak had.', examples: [7] }),
    endedAt: instant.meta({ description: 'When it ended.' }),
  }),
  'streak.freeze_consumed': named('FreezeConsumedOutcome', 'Freezes bridged periods that were not met.', {
    ...head('streak.freeze_consumed'),
    ...ofUser,
    consumed: freezes.meta({ description: 'How many.', examples: [1] }),
    freezes: freezes.optional().meta({
      description: 'How many the user holds now; absent if the release that applied the event did not report it.',
    }),
  }),
  'streak.freeze_earned': named('FreezeEarnedOutcome', 'A user earned freezes, or was given some.', {
    ...head('streak.freeze_earned'),
    ...ofUser,
    earned: freezes.meta({ description: 'How many.', examples: [1] }),
    freezes: freezes.meta({ description: 'How many the user holds now.', examples: [2] }),
  }),
  'points.changed': named('PointsChangedOutcome', 'A user’s total in a points system changed.', {
    ...head('points.changed'),
    ...ofUser,
    points: eventPoints.meta({
      description: 'The system, as in the answer to an event. `added` includes time awards that fell due with it.',
    }),
  }),
  'points.level_changed': named('LevelChangedOutcome', 'A user’s level in a points system changed.', {
    ...head('points.level_changed'),
    ...ofUser,
    points: eventPoints.meta({ description: 'The system, as in `points.changed`.' }),
    previousLevel: level.nullable().meta({ description: 'Null: below all levels, or a level that no longer exists.' }),
    newLevel: level.nullable().meta({ description: 'Null: below all levels.' }),
  }),
  'leaderboard.started': named('LeaderboardStartedOutcome', 'A run of a leaderboard has begun.', {
    ...head('leaderboard.started'),
    leaderboard: outcomeRankings.meta({ description: 'The leaderboard with the first 100 rankings of the run.' }),
  }),
  'leaderboard.finished': named(
    'LeaderboardFinishedOutcome',
    'A run of a leaderboard has ended in every zone: these are its winners.',
    {
      ...head('leaderboard.finished'),
      leaderboard: outcomeRankings.meta({ description: 'The leaderboard with the first 100 rankings of the run.' }),
    },
  ),
  'leaderboard.rank_changed': named('RankChangedOutcome', 'What a user did changed their own rank in a run.', {
    ...head('leaderboard.rank_changed'),
    ...ofUser,
    leaderboard: outcomeLeaderboard.meta({ description: 'The leaderboard with the user’s rank and value after it.' }),
    previousRank: z.number().int().nullable().meta({ description: 'The rank before; null: not ranked.' }),
    previousValue: jsonNumber.nullable().meta({ description: 'The value before; null: none in this run, or 0.' }),
  }),
  'leaderboard.rank_lost': named('RankLostOutcome', 'Somebody overtook a user within the first ranks of a run.', {
    ...head('leaderboard.rank_lost'),
    ...ofUser,
    leaderboard: outcomeLeaderboard.meta({ description: 'The leaderboard with the user’s rank and value after it.' }),
    rank: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The rank after it; null: not ranked any more.', examples: [2] }),
    previousRank: z
      .number()
      .int()
      .meta({ description: 'The rank before, at most `outgoing.announceTop`.', examples: [1] }),
    by: z.string().meta({ description: 'The id of the user who overtook them.' }),
  }),
  'leaderboard.changed': named('LeaderboardChangedOutcome', 'Somebody moved within the first ranks of a run.', {
    ...head('leaderboard.changed'),
    leaderboard: outcomeRankings.meta({
      description: 'The leaderboard with its first `outgoing.announceTop` rankings.',
    }),
  }),
  'user.created': named('UserCreatedOutcome', 'Something was recorded of a user for the first time.', {
    ...head('user.created'),
    ...ofUser,
  }),
  'user.corrected': named(
    'UserCorrectedOutcome',
    'Events of a user were corrected. Nothing else is sent of it: read what you keep of the user again.',
    {
      ...head('user.corrected'),
      ...ofUser,
      corrections: z.array(outcomeCorrection).meta({ description: 'What now counts differently.' }),
      ...changedFinalRuns,
    },
  ),
  'user.erased': named(
    'UserErasedOutcome',
    'A user was erased; nobody knows any more who it was.',
    head('user.erased'),
  ),
  'configuration.published': named('ConfigurationPublishedOutcome', 'A configuration was published.', {
    ...head('configuration.published'),
    version: z.number().int().min(1).meta({ description: 'The version in force from now on.' }),
  }),
  'import.finished': named('ImportFinishedOutcome', 'An import was closed.', {
    ...head('import.finished'),
    ...changedFinalRuns,
  }),
  'endpoint.disabled': named(
    'EndpointDisabledOutcome',
    'A webhook was disabled, and outcomes wait for it. It is sent to the other webhooks.',
    {
      ...head('endpoint.disabled'),
      endpoint: z
        .object({
          id: uuid.meta({ description: 'Of the webhook.' }),
          origin: z.string().meta({
            description: 'Scheme, host and port of its URL; its path may be a secret.',
            examples: ['https://example.com'],
          }),
        })
        .meta({ id: 'DisabledEndpoint', description: 'The webhook.' }),
      reason: z
        .string()
        .nullable()
        .meta({
          description: 'Why the service disabled it; null: it was disabled by hand.',
          examples: ['it answered with 410'],
        }),
      failure: z
        .object({
          status: z.number().int().nullable().meta({ description: 'Status of the answer; null: there was none.' }),
          error: z.string().meta({
            description: 'What kind of failure it was; it names no address.',
            examples: ['was answered with 410'],
          }),
        })
        .nullable()
        .meta({ id: 'LastFailure', description: 'The attempt that failed last; null: it was disabled by hand.' }),
    },
  ),
} as const satisfies Record<OutcomeType, z.ZodObject>;

export type OutcomeBody<Type extends OutcomeType = OutcomeType> = z.infer<(typeof OUTCOME_BODIES)[Type]>;

/** The body of any type. */
export const outcome = z
  .discriminatedUnion('type', Object.values(OUTCOME_BODIES) as unknown as [z.ZodObject, ...z.ZodObject[]])
  .meta({ id: 'Outcome', description: 'Something that happened.' });

/** `GET /admin/v1/outcomes` as CloudEvents 1.0, in JSON batch format. */
export const cloudEvents = z.array(
  z
    .object({
      specversion: z.literal('1.0').meta({ description: 'The version of CloudEvents.' }),
      id: uuid.meta({ description: 'That of the outcome.' }),
      source: z.string().meta({ description: 'The account.', examples: ['/accounts/default'] }),
      type: z.string().meta({ description: 'The type of the outcome.', examples: ['laurel.streak.lost.v1'] }),
      subject: z.string().optional().meta({ description: 'The id of the user; absent: it concerns none.' }),
      time: instant.meta({ description: 'When it happened.' }),
      sequence: z.string().meta({ description: 'That of the outcome, as text.', examples: ['1'] }),
      datacontenttype: z.literal('application/json').meta({ description: 'The format of `data`.' }),
      data: outcome.meta({ description: 'The outcome.' }),
    })
    .meta({ id: 'OutcomeCloudEvent', description: 'An outcome as a CloudEvent.' }),
);
