import { z } from 'zod';
import {
  amount,
  badgeUrl,
  date,
  description,
  keep,
  KEPT_BY_DEFAULT,
  key,
  name,
  ownKey,
  time,
  WEEKDAYS,
} from './configuration-fields.ts';
import { BUILT_IN_TRIGGERS, LEVELS_BY, OUTCOME_TYPES, POINTS_TRIGGER_TYPES } from '@laurel/kernel';
import type { AwardTriggerType } from '@laurel/kernel';
import { achievementDocument } from './achievement-document.ts';
import { boostDocument } from './boost-document.ts';
import { caps } from './caps-document.ts';
import { declaredAttributes } from './conditions-document.ts';
import { pointsTriggerDocument } from './points-trigger-document.ts';

export { documentAmount, KEPT_BY_DEFAULT, keptMs, minutesOf, WEEKDAYS } from './configuration-fields.ts';

/**
 * The configuration document, field by field: the one source of its type, its validation and its JSON Schema
 * (specification, section 9). Rules about several fields (references, cycles, pairs of fields) are checked elsewhere.
 *
 * The log holds documents for good: a bound may be widened here, never narrowed, or an old log could no longer be read.
 */

const metric = z
  .strictObject({ key: ownKey, name })
  .describe('Something that users do. Post its events to /api/metrics/KEY/event.');

const freezes = z
  .strictObject({
    initial: z.int().min(0).max(100).default(0).describe('Number of freezes that a new user starts with; at most max.'),
    max: z.int().min(0).max(100).default(100).describe('Maximum number of freezes that a user can hold.'),
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
      .describe('Number of freezes that a user earns each time; requires earnEvery.'),
  })
  .describe('A freeze bridges a missed period automatically. Without this field, there are no freezes.');

const condition = z
  .strictObject({
    metric: key.describe('Key of a metric. Each metric may appear only once.'),
    threshold: amount.describe(
      "Sum of the metric's values within the period that meets the condition; at most 6 decimals.",
    ),
  })
  .describe('A sum that a user must reach within a period.');

const streak = z
  .strictObject({
    frequency: z
      .enum(['daily', 'weekly', 'monthly'])
      .describe("Length of a period on the user's clock. Changing it restarts all streaks."),
    mode: z
      .enum(['all', 'any'])
      .default('all')
      .describe('Whether users must meet all conditions in a period, or any one of them.'),
    weekStart: z
      .enum(['monday', 'sunday'])
      .default('monday')
      .describe('First day of the week, for weekly streaks and weekly summaries. Changing it restarts all streaks.'),
    conditions: z.array(condition).min(1).describe('The conditions of a period. At least one is required.'),
    freezes: freezes.optional(),
  })
  .describe(
    'Counts the periods in a row in which users meet the conditions. Without this field, Laurel keeps no streaks.',
  );

const level = z
  .strictObject({
    key: ownKey,
    name,
    description,
    badgeUrl,
    points: z
      .int()
      .min(0)
      .describe(
        'Total, or points earned with levelsBy earned, at which users reach the level; no two levels may have the same.',
      ),
  })
  .describe('A level that users reach with so many points.');

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
      .describe('Maximum total. Laurel cuts an award that would exceed it. null: no cap.'),
    caps,
    triggers: z
      .array(pointsTriggerDocument)
      .describe('What gives and takes points. Within one event, triggers of one type fire in this order.'),
    levels: z.array(level).default([]).describe('The levels, in any order.'),
    levelsBy: z
      .enum(LEVELS_BY)
      .default('total')
      .describe(
        'What the levels follow. total: the present total, so users fall back when points are taken. earned: the sum of all points that triggers and grants have given, which only a correction lowers.',
      ),
    boosts: z.array(boostDocument).default([]).describe('What multiplies points for a time.'),
  })
  .describe('Points that users earn or spend. A total never falls below 0.');

const leaderboard = z
  .strictObject({
    key: ownKey,
    name,
    description,
    rankBy: z.enum(['metric', 'points', 'streak']).describe('What Laurel ranks users by.'),
    metric: key.optional().describe('Key of a metric. Required with rankBy metric, and not allowed otherwise.'),
    pointsSystem: key
      .optional()
      .describe('Key of a points system. Required with rankBy points, and not allowed otherwise.'),
    start: date.describe("First date, on each user's clock. Runs are counted from it."),
    end: date.nullable().default(null).describe('Last date, inclusive. null: no end.'),
    runUnit: z
      .enum(['day', 'month', 'year'])
      .nullable()
      .default(null)
      .describe('Unit of a run; requires runInterval. When a run ends, the next one begins. null: a single run.'),
    runInterval: z.int().min(1).nullable().default(null).describe('Number of units in a run; requires runUnit.'),
    maxParticipants: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1000)
      .describe('Maximum number of ranked users. Laurel keeps the values of all users.'),
  })
  .describe('A ranking of users by a value.');

const outcomeType = z.enum(OUTCOME_TYPES);

const AWARD_TRIGGER_TYPES: readonly AwardTriggerType[] = [...POINTS_TRIGGER_TYPES, ...BUILT_IN_TRIGGERS];

export const narrowedPointsChanged = z
  .strictObject({
    type: z.literal('points.changed'),
    pointsSystems: z
      .array(key)
      .min(1)
      .optional()
      .describe('Keys of points systems, each only once. Without this field, all systems.'),
    triggers: z
      .array(z.enum(AWARD_TRIGGER_TYPES))
      .min(1)
      .optional()
      .describe('Types of triggers, each only once. Without this field, all types.'),
  })
  .describe(
    'Makes points.changed only if at least one award of the change comes from one of these systems and one of these types of triggers. The list may have several such entries.',
  );

const atRisk = z
  .strictObject({
    at: time.describe(
      "Time of the reminder on the user's clock, on the last date on which they can still meet the period.",
    ),
  })
  .describe('When streak.at_risk reminds users of a period that they have not met. Without this field, at 18:00.');

const recap = z
  .strictObject({
    day: z.enum(WEEKDAYS).describe('Day of the week. The recap covers the seven dates before it.'),
    at: time.describe("Time of the recap on the user's clock."),
  })
  .describe(
    'When emails.recap_due tells users who did something in a week what they did. Without this field, on Mondays at 09:00.',
  );

const reactivation = z
  .strictObject({
    days: z
      .array(z.int().min(1).max(3650))
      .min(1)
      .max(20)
      .describe('Numbers of days of 24 hours, each greater than the one before.'),
  })
  .describe(
    'After how many days without an event emails.reactivation_due reminds users. Without this field, after 3, 7 and 30.',
  );

const outgoing = z
  .strictObject({
    events: z
      .union([z.literal('all'), z.array(z.union([narrowedPointsChanged, outcomeType])).min(1)])
      .describe(
        'Types of outcomes that Laurel makes: all, or a list of entries, each only once. Laurel always makes user.corrected and user.erased, and makes emails.achievement_due and emails.streak_reminder_due only if the list names them. An entry can narrow points.changed to some systems and triggers.',
      ),
    keep: keep.default(KEPT_BY_DEFAULT).describe('How long Laurel keeps outcomes: hours or days, from 1h to 90d.'),
    atRisk: atRisk.optional(),
    announceTop: z
      .int()
      .min(1)
      .max(100)
      .default(10)
      .describe('Number of top ranks of a run for which Laurel makes leaderboard.rank_lost and leaderboard.changed.'),
    recap: recap.optional(),
    reactivation: reactivation.optional(),
  })
  .describe('Which outcomes Laurel makes. Without this field, it makes only user.corrected and user.erased.');

export const configurationDocument = z.strictObject({
  version: z.literal(1).describe('The format of this document.'),
  metrics: z.array(metric).min(1).describe('The metrics. At least one is required.'),
  attributes: declaredAttributes.optional(),
  streak: streak.optional(),
  achievements: z
    .array(achievementDocument)
    .default([])
    .describe('The achievements, in the order in which answers list them.'),
  points: z.array(pointsSystem).default([]).describe('The points systems.'),
  leaderboards: z.array(leaderboard).default([]).describe('The leaderboards, in the order in which answers list them.'),
  outgoing: outgoing.optional(),
});

/** An accepted document, with every default filled in. */
export type ConfigurationDocument = z.output<typeof configurationDocument>;
export type AttributesDocument = NonNullable<ConfigurationDocument['attributes']>;
export type StreakDocument = NonNullable<ConfigurationDocument['streak']>;
export type AchievementDocument = ConfigurationDocument['achievements'][number];
export type PointsSystemDocument = ConfigurationDocument['points'][number];
export type LevelDocument = PointsSystemDocument['levels'][number];
export type LeaderboardDocument = ConfigurationDocument['leaderboards'][number];
export type NarrowedPointsChanged = z.output<typeof narrowedPointsChanged>;
export type OutgoingDocument = NonNullable<ConfigurationDocument['outgoing']>;
