import { z } from 'zod';
import {
  amount,
  badgeUrl,
  date,
  description,
  instant,
  key,
  length,
  name,
  ownKey,
  points,
} from './configuration-fields.ts';

export { documentAmount } from './configuration-fields.ts';

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
    initial: z.int().min(0).max(100).default(0).describe('Freezes that a user begins with; at most max.'),
    max: z.int().min(0).max(100).default(100).describe('Freezes that a user can hold.'),
    earnEvery: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(null)
      .describe('Freezes are earned every so many days, counted from the creation of the user; together with earn.'),
    earn: z
      .int()
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .describe('How many are earned then; together with earnEvery.'),
  })
  .describe('A freeze bridges a missed period by itself. Without this field there are none.');

const condition = z
  .strictObject({
    metric: key.describe('Key of a metric; each at most once.'),
    threshold: amount.describe('The sum of its values in the period that meets the condition; at most 6 decimals.'),
  })
  .describe('What must be reached within a period.');

const streak = z
  .strictObject({
    frequency: z
      .enum(['daily', 'weekly', 'monthly'])
      .describe("The period that must be met again and again, on the user's clock. A change starts everyone afresh."),
    mode: z.enum(['all', 'any']).default('all').describe('Whether all conditions must be met in a period, or any one.'),
    weekStart: z
      .enum(['monday', 'sunday'])
      .default('monday')
      .describe('First day of the week, for weekly streaks and weekly summaries. A change starts everyone afresh.'),
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
        achievements: z.array(key).min(1).describe('Keys of achievements, each once; no circle.'),
      })
      .describe('Completed as soon as all that it names are.'),
  ])
  .describe('What completes it.');

const achievement = z
  .strictObject({ key: ownKey, name, description, badgeUrl, trigger: achievementTrigger })
  .describe('Completed once by a user, and never taken back.');

const triggerKey = key
  .optional()
  .describe(
    'By it the trigger stays the same when it is changed. Without a key it is known by its content: changed, it is another trigger.',
  );

export const pointsTriggerDocument = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('metric'),
      key: triggerKey,
      metric: key.describe('Key of a metric.'),
      threshold: amount.describe('It fires at every multiple of this that the sum reaches; at most 6 decimals.'),
      points,
    })
    .describe('Fires for every so much of a metric, summed from the publication of the trigger on.'),
  z
    .strictObject({
      type: z.literal('streak'),
      key: triggerKey,
      length: length.describe('It fires at every multiple of this length, in periods.'),
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
    .describe('Fires when a user is created, by their first event or by call.'),
  z
    .strictObject({
      type: z.literal('time'),
      key: triggerKey,
      unit: z.enum(['hour', 'day']).describe('A day is 24 hours.'),
      interval: z.int().min(1).max(8760).describe('Every so many units, counted from the creation of the user.'),
      points,
      activeFrom: instant
        .nullable()
        .default(null)
        .describe(
          'Nothing is given for the time before this instant (UTC); null: from the publication of the trigger on.',
        ),
    })
    .describe('Fires by itself, again and again.'),
]);

const level = z
  .strictObject({
    key: ownKey,
    name,
    description,
    badgeUrl,
    points: z.int().min(0).describe('The total from which on it is reached; no two levels have the same.'),
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
      .describe('A total never grows beyond it: what is given is cut to the room there is; null: no cap.'),
    triggers: z
      .array(pointsTriggerDocument)
      .describe('What gives and takes points. Within one event, those of one type in this order.'),
    levels: z.array(level).default([]).describe('In any order.'),
  })
  .describe('Points that users gather or spend; a total is never below 0.');

const leaderboard = z
  .strictObject({
    key: ownKey,
    name,
    description,
    rankBy: z.enum(['metric', 'points', 'streak']).describe('What users are ranked by.'),
    metric: key.optional().describe('Key of a metric: with rankBy metric, and only then.'),
    pointsSystem: key.optional().describe('Key of a points system: with rankBy points, and only then.'),
    start: date.describe("Its first date, on each user's clock; runs are counted from it."),
    end: date.nullable().default(null).describe('Its last date, included; null: it goes on for ever.'),
    runUnit: z
      .enum(['day', 'month', 'year'])
      .nullable()
      .default(null)
      .describe(
        'It begins anew again and again: the unit of a run, together with runInterval; null: one run for ever.',
      ),
    runInterval: z.int().min(1).nullable().default(null).describe('How many units a run has; together with runUnit.'),
    maxParticipants: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1000)
      .describe("How many are ranked at once; everybody's value is kept."),
  })
  .describe('Users in the order of a value.');

export const configurationDocument = z.strictObject({
  version: z.literal(1).describe('The format of this document.'),
  metrics: z.array(metric).min(1).describe('At least one.'),
  streak: streak.optional(),
  achievements: z.array(achievement).default([]).describe('Answers list them in this order.'),
  points: z.array(pointsSystem).default([]).describe('The points systems.'),
  leaderboards: z.array(leaderboard).default([]).describe('Answers list them in this order.'),
});

/** A document as it was accepted, with every default filled in. */
export type ConfigurationDocument = z.output<typeof configurationDocument>;
export type StreakDocument = NonNullable<ConfigurationDocument['streak']>;
export type AchievementDocument = ConfigurationDocument['achievements'][number];
export type PointsSystemDocument = ConfigurationDocument['points'][number];
export type PointsTriggerDocument = PointsSystemDocument['triggers'][number];
export type LevelDocument = PointsSystemDocument['levels'][number];
export type LeaderboardDocument = ConfigurationDocument['leaderboards'][number];
