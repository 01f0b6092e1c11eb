import { UNITS, amountFromNumber } from '@laurel/amounts';
import type { Amount } from '@laurel/amounts';
import { parseDate, parseInstant } from '@laurel/calendar';
import { z } from 'zod';

/**
 * The configuration document, field by field: the one source of its type, its validation and its JSON Schema
 * (specification, section 9). What concerns more than one field (references, cycles, pairs of fields) is checked beside it.
 *
 * The log holds documents for good: a bound may be widened here, never narrowed, or an old log could no longer be read.
 * The message of each refinement is the phrase that follows "expected".
 */

/** The exact amount of a threshold or metric value; null if it has more than six decimals or is too large to be exact. */
export function documentAmount(value: number): Amount | null {
  return amountFromNumber(value) ?? (Number.isSafeInteger(value) ? BigInt(value) * UNITS : null);
}

/** Postgres stores neither NUL nor a lone surrogate: one such text would make every batch that carries it fail. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Counts code points, as JSON Schema does. */
const text = (minLength: number, maxLength: number) =>
  z
    .string()
    .refine((value) => !UNSTORABLE.test(value), { error: 'text without NUL and lone surrogates' })
    .refine((value) => isWithin([...value].length, minLength, maxLength), {
      error:
        minLength === 0 ? `text of at most ${maxLength} characters` : `text of ${minLength} to ${maxLength} characters`,
    })
    .meta({ minLength, maxLength });

const isWithin = (count: number, least: number, most: number) => count >= least && count <= most;

const key = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const name = text(1, 255);
const description = text(0, 1000).nullable().default(null);
const badgeUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((value) => value.length <= 2048 && !/\s/.test(value) && !UNSTORABLE.test(value), {
    error: 'an http or https address of at most 2048 characters, without spaces',
  })
  .meta({ maxLength: 2048 })
  .nullable()
  .default(null);

/** Beyond it a JSON number no longer names one integer. */
const LARGEST = Number.MAX_SAFE_INTEGER;

const amount = z
  .number()
  .positive()
  .max(LARGEST, { abort: true })
  .refine((value) => documentAmount(value) !== null, { error: 'a number with at most 6 decimals' });

const points = z
  .int()
  .min(-1_000_000_000)
  .max(1_000_000_000)
  .refine((value) => value !== 0, { error: 'a number other than 0' })
  .meta({ not: { const: 0 } });

const length = z.int().min(1).max(100_000);

const date = z.iso
  .date({ abort: true })
  .refine((value) => parseDate(value) !== null, { error: 'a date within the years 0001 to 9999' });
const instant = z.iso
  .datetime({ abort: true })
  .refine((value) => parseInstant(value) !== null, { error: 'an instant within the years 0001 to 9999' });

const metric = z.strictObject({ key, name });

const freezes = z.strictObject({
  initial: z.int().min(0).max(100).default(0),
  max: z.int().min(0).max(100).default(100),
  earnEvery: z.int().min(1).max(3650).nullable().default(null),
  earn: z.int().min(1).max(100).nullable().default(null),
});

const streak = z.strictObject({
  frequency: z.enum(['daily', 'weekly', 'monthly']),
  mode: z.enum(['all', 'any']).default('all'),
  weekStart: z.enum(['monday', 'sunday']).default('monday'),
  conditions: z.array(z.strictObject({ metric: key, threshold: amount })).min(1),
  freezes: freezes.optional(),
});

const achievementTrigger = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('metric'), metric: key, value: amount }),
  z.strictObject({ type: z.literal('streak'), length }),
  z.strictObject({ type: z.literal('api') }),
  z.strictObject({ type: z.literal('achievement'), achievements: z.array(key).min(1) }),
]);

const achievement = z.strictObject({ key, name, description, badgeUrl, trigger: achievementTrigger });

const triggerKey = key.optional();

export const pointsTriggerDocument = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('metric'), key: triggerKey, metric: key, threshold: amount, points }),
  z.strictObject({ type: z.literal('streak'), key: triggerKey, length, points }),
  z.strictObject({ type: z.literal('achievement'), key: triggerKey, achievement: key, points }),
  z.strictObject({ type: z.literal('user_creation'), key: triggerKey, points }),
  z.strictObject({
    type: z.literal('time'),
    key: triggerKey,
    unit: z.enum(['hour', 'day']),
    interval: z.int().min(1).max(8760),
    points,
    activeFrom: instant.nullable().default(null),
  }),
]);

const level = z.strictObject({ key, name, description, badgeUrl, points: z.int().min(0) });

const pointsSystem = z.strictObject({
  key,
  name,
  description,
  badgeUrl,
  maxPoints: z.int().positive().nullable().default(null),
  triggers: z.array(pointsTriggerDocument),
  levels: z.array(level).default([]),
});

const leaderboard = z.strictObject({
  key,
  name,
  description,
  rankBy: z.enum(['metric', 'points', 'streak']),
  metric: key.optional(),
  pointsSystem: key.optional(),
  start: date,
  end: date.nullable().default(null),
  runUnit: z.enum(['day', 'month', 'year']).nullable().default(null),
  runInterval: z.int().min(1).nullable().default(null),
  maxParticipants: z.int().min(1).max(1_000_000).default(1000),
});

export const configurationDocument = z.strictObject({
  version: z.literal(1),
  metrics: z.array(metric).min(1),
  streak: streak.optional(),
  achievements: z.array(achievement).default([]),
  points: z.array(pointsSystem).default([]),
  leaderboards: z.array(leaderboard).default([]),
});

/** A document as it was accepted, with every default filled in. */
export type ConfigurationDocument = z.output<typeof configurationDocument>;
export type StreakDocument = NonNullable<ConfigurationDocument['streak']>;
export type AchievementDocument = ConfigurationDocument['achievements'][number];
export type PointsSystemDocument = ConfigurationDocument['points'][number];
export type PointsTriggerDocument = PointsSystemDocument['triggers'][number];
export type LevelDocument = PointsSystemDocument['levels'][number];
export type LeaderboardDocument = ConfigurationDocument['leaderboards'][number];
