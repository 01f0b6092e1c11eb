import { z } from 'zod';
import { date, instant, jsonNumber, jsonWhole, noUserAttributes } from './fields.ts';

/** A points trigger; which of the optional fields it has depends on its type (specification, section 8). */
export const trigger = z
  .object({
    id: z.string(),
    type: z.enum(['metric', 'streak', 'achievement', 'user_creation', 'time']),
    points: jsonWhole,
    status: z.literal('active'),
    metricId: z.string().optional(),
    metricName: z.string().optional(),
    metricThreshold: jsonNumber.optional(),
    achievementId: z.string().optional(),
    achievementName: z.string().optional(),
    streakLengthThreshold: z.number().int().optional(),
    timeUnit: z.enum(['hour', 'day']).optional(),
    timeInterval: z.number().int().optional(),
    userAttributes: noUserAttributes,
    created: instant,
    updated: instant,
  })
  .meta({ id: 'Trigger' });
export type TriggerAnswer = z.infer<typeof trigger>;

export const award = z
  .object({ id: z.string(), awarded: jsonWhole, date: instant, total: jsonWhole, trigger: trigger.nullable() })
  .meta({ id: 'Award' });
export type AwardAnswer = z.infer<typeof award>;

export const level = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    description: z.string(),
    badgeUrl: z.string().nullable(),
    points: jsonWhole,
  })
  .meta({ id: 'Level' });
export type LevelAnswer = z.infer<typeof level>;

const systemFields = {
  id: z.string(),
  key: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  badgeUrl: z.string().nullable(),
  maxPoints: jsonWhole.nullable(),
};

/** `GET /v1/points/{key}`. */
export const pointsSystem = z.object({ ...systemFields, triggers: z.array(trigger) }).meta({ id: 'PointsSystem' });
export type PointsSystemAnswer = z.infer<typeof pointsSystem>;

/** A system in an event's answer; `level` only if the event changed it. */
export const eventPoints = z
  .object({
    ...systemFields,
    total: jsonWhole,
    added: jsonWhole,
    level: level.nullable().optional(),
    awards: z.array(award),
  })
  .meta({ id: 'EventPoints' });
export type EventPoints = z.infer<typeof eventPoints>;

/** `GET /v1/users/{id}/points/{key}`. */
export const userPoints = z
  .object({ ...systemFields, total: jsonWhole, level: level.nullable(), awards: z.array(award) })
  .meta({ id: 'UserPoints' });
export type UserPoints = z.infer<typeof userPoints>;

/** `GET /v1/users/{id}/points/{key}/event-summary`. */
export const pointsBucket = z.object({ date, total: jsonWhole, change: jsonWhole }).meta({ id: 'PointsBucket' });
export type PointsBucketAnswer = z.infer<typeof pointsBucket>;
