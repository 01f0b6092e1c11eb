import { z } from 'zod';
import {
  amount,
  badgeUrl,
  date,
  description,
  instant,
  keep,
  KEPT_BY_DEFAULT,
  key,
  length,
  name,
  ownKey,
  points,
  time,
  WEEKDAYS,
} from './configuration-fields.ts';
import { OUTCOME_TYPES } from './outcome-types.ts';

export { documentAmount, KEPT_BY_DEFAULT, keptMs, minutesOf, WEEKDAYS } from './configuration-fields.ts';

/**
 * The configuration document, field by field: the one source of its type, its validation and its JSON Schema
 * (specification, section 9). What concerns more than one field (references, cycles, pairs of fields) is checked beside it.
 *
 * The log holds documents for good: a bound may be widened here, never narrowed, or an old log could no longer be read.
 */

const metric = z
  .strictObject({ key: ownKey, name })
  .describe('Something that users do. Its events are posted to /api/metrics/KEY/event.');

const freezes = z
  .strictObject({
    initial: z.int().min(0).max(100).default(0).describe('Number of freezes that a new user holds; at most max.'),
    max: z.int().min(0).max(100).default(100).describe('Largest number of freezes that a user can hold.'),
    earnEvery: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(null)
      .describe("Number of days between earned freezes, counted from the user's creation; requires earn."),
    earn: z
      .int()
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .describe('Number of freezes earned each time; requires earnEvery.'),
  })
  .describe('A freeze bridges a missed period by itself. Without this field there are none.');

const condition = z
  .strictObject({
    metric: key.describe('Key of a metric; each at most once.'),
    threshold: amount.describe(
      "The sum of the metric's values within the period that meets the condition; at most 6 decimals.",
    ),
  })
  .describe('A sum that a user must reach within a period.');

const streak = z
  .strictObject({
    frequency: z
      .enum(['daily', 'weekly', 'monthly'])
      .describe("Length of a period on the user's clock. If it changes, all streaks start again."),
    mode: z.enum(['all', 'any']).default('all').describe('Whether all conditions must be met in a period, or any one.'),
    weekStart: z
      .enum(['monday', 'sunday'])
      .default('monday')
      .describe(
        'First day of the week, for weekly streaks and weekly summaries. If it changes, all streaks start again.',
      ),
    conditions: z.array(condition).min(1).describe('At least one.'),
    freezes: freezes.optional(),
  })
  .describe('Periods in a row in which users meet the conditions. Without this field no streaks are kept.');

const achievementTrigger = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('metric'),
        metric: key.describe('Key of a metric.'),
        value: amount.describe('The total of the metric that completes it; at most 6 decimals.'),
      })
      .describe('Completed when the total of a metric reaches a value.'),
    z
      .strictObject({ type: z.literal('streak'), length: length.describe('The length that completes it, in periods.') })
      .describe('Completed when the streak is extended to a length.'),
    z.strictObject({ type: z.literal('api') }).describe('Completed by a call: POST /v1/achievements/KEY/complete.'),
    z
      .strictObject({
        type: z.literal('achievement'),
        achievements: z.array(key).min(1).describe('Keys of achievements, each once; without cycles.'),
      })
      .describe('Completed when all of these achievements are completed.'),
  ])
  .describe('What completes it.');

const achievement = z
  .strictObject({ key: ownKey, name, description, badgeUrl, trigger: achievementTrigger })
  .describe('Completed once by a user, and never taken back.');

const triggerKey = key
  .optional()
  .describe('Gives the trigger a stable identity. Without a key, changing any field creates a new trigger.');

export const pointsTriggerDocument = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('metric'),
      key: triggerKey,
      metric: key.describe('Key of a metric.'),
      threshold: amount.describe(
        'The trigger fires at every multiple of this that the sum reaches; at most 6 decimals.',
      ),
      points,
    })
    .describe(
      "Fires each time the metric's running sum, counted from the publication of the trigger, reaches another multiple of the threshold.",
    ),
  z
    .strictObject({
      type: z.literal('streak'),
      key: triggerKey,
      length: length.describe('The trigger fires at every multiple of this length, in periods.'),
      points,
    })
    .describe('Fires when the streak is extended to a multiple of a length.'),
  z
    .strictObject({
      type: z.literal('achievement'),
      key: triggerKey,
      achievement: key.describe('Key of an achievement.'),
      points,
    })
    .describe('Fires when an achievement is completed.'),
  z
    .strictObject({ type: z.literal('user_creation'), key: triggerKey, points })
    .describe('Fires when a user is created, by their first event or by an API call.'),
  z
    .strictObject({
      type: z.literal('time'),
      key: triggerKey,
      unit: z.enum(['hour', 'day']).describe('A day is 24 hours.'),
      interval: z.int().min(1).max(8760).describe("Number of units between awards, counted from the user's creation."),
      points,
      activeFrom: instant
        .nullable()
        .default(null)
        .describe(
          'No awards for the time before this instant (UTC). null: none for the time before the trigger was published.',
        ),
    })
    .describe('Fires at regular intervals, without an event.'),
]);

const level = z
  .strictObject({
    key: ownKey,
    name,
    description,
    badgeUrl,
    points: z.int().min(0).describe('Total at which the level is reached; no two levels have the same.'),
  })
  .describe('A name for a total.');

const pointsSystem = z
  .strictObject({
    key: ownKey,
    name,
    description,
    badgeUrl,
    maxPoints: z
      .int()
      .positive()
      .nullable()
      .default(null)
      .describe('Largest total. An award that would exceed it is cut. null: no cap.'),
    triggers: z
      .array(pointsTriggerDocument)
      .describe('What gives and takes points. Within one event, triggers of one type fire in this order.'),
    levels: z.array(level).default([]).describe('In any order.'),
  })
  .describe('Points that users earn or spend; a total is never below 0.');

const leaderboard = z
  .strictObject({
    key: ownKey,
    name,
    description,
    rankBy: z.enum(['metric', 'points', 'streak']).describe('What users are ranked by.'),
    metric: key.optional().describe('Key of a metric; only with rankBy metric, which requires it.'),
    pointsSystem: key.optional().describe('Key of a points system; only with rankBy points, which requires it.'),
    start: date.describe("First date, on each user's clock; runs are counted from it."),
    end: date.nullable().default(null).describe('Last date, included; null: no end.'),
    runUnit: z
      .enum(['day', 'month', 'year'])
      .nullable()
      .default(null)
      .describe('Unit of a run; requires runInterval. When a run ends, the next one begins. null: one run for ever.'),
    runInterval: z.int().min(1).nullable().default(null).describe('Number of units in a run; requires runUnit.'),
    maxParticipants: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1000)
      .describe('Largest number of ranked users; the values of all users are kept.'),
  })
  .describe('A ranking of users by a value.');

const outcomeType = z.enum(OUTCOME_TYPES);

const atRisk = z
  .strictObject({
    at: time.describe("When, on the user's clock, on the last date on which the period can still be met."),
  })
  .describe(
    'Of streak.at_risk: when users are reminded of a period that they have not met. Without this field at 18:00.',
  );

const recap = z
  .strictObject({
    day: z.enum(WEEKDAYS).describe('On which day of the week; the recap is of the seven dates before it.'),
    at: time.describe("When, on the user's clock."),
  })
  .describe(
    'Of emails.recap_due: when users who did something in a week are told what. Without this field on Mondays at 09:00.',
  );

const reactivation = z
  .strictObject({
    days: z
      .array(z.int().min(1).max(3650))
      .min(1)
      .max(20)
      .describe('After how many days of 24 hours, each more than the one before.'),
  })
  .describe(
    'Of emails.reactivation_due: after how many days without an event users are reminded. Without this field after 3, 7 and 30.',
  );

const outgoing = z
  .strictObject({
    events: z
      .union([z.literal('all'), z.array(outcomeType).min(1)])
      .describe(
        'The types that are made known: all, or a list of them, each once. user.corrected and user.erased always are; emails.achievement_due and emails.streak_reminder_due only if they are named.',
      ),
    keep: keep.default(KEPT_BY_DEFAULT).describe('How long outcomes are kept: hours or days, from 1h to 90d.'),
    atRisk: atRisk.optional(),
    announceTop: z
      .int()
      .min(1)
      .max(100)
      .default(10)
      .describe('leaderboard.rank_lost and leaderboard.changed are made for the first so many of a run.'),
    recap: recap.optional(),
    reactivation: reactivation.optional(),
  })
  .describe('What is made known to others, as outcomes. Without this field nothing is.');

export const configurationDocument = z.strictObject({
  version: z.literal(1).describe('The format of this document.'),
  metrics: z.array(metric).min(1).describe('At least one.'),
  streak: streak.optional(),
  achievements: z.array(achievement).default([]).describe('Answers list them in this order.'),
  points: z.array(pointsSystem).default([]).describe('The points systems.'),
  leaderboards: z.array(leaderboard).default([]).describe('Answers list them in this order.'),
  outgoing: outgoing.optional(),
});

/** A document as it was accepted, with every default filled in. */
export type ConfigurationDocument = z.output<typeof configurationDocument>;
export type StreakDocument = NonNullable<ConfigurationDocument['streak']>;
export type AchievementDocument = ConfigurationDocument['achievements'][number];
export type PointsSystemDocument = ConfigurationDocument['points'][number];
export type PointsTriggerDocument = PointsSystemDocument['triggers'][number];
export type LevelDocument = PointsSystemDocument['levels'][number];
export type LeaderboardDocument = ConfigurationDocument['leaderboards'][number];
export type OutgoingDocument = NonNullable<ConfigurationDocument['outgoing']>;
