import { z } from 'zod';
import { date, instant } from './fields.ts';

const streakFields = {
  length: z.number().int(),
  frequency: z.enum(['daily', 'weekly', 'monthly']),
  started: date.nullable(),
  periodStart: date.nullable(),
  periodEnd: date.nullable(),
  expires: date.nullable(),
};

/** Present with freezes configured only (specification, section 4). */
const freezeFields = {
  freezes: z.number().int().optional(),
  maxFreezes: z.number().int().optional(),
  freezeAutoEarnInterval: z.number().int().nullable().optional().meta({ description: 'Days of 24 hours.' }),
  freezeAutoEarnAmount: z.number().int().nullable().optional(),
};

/** The streak in an event's answer. */
export const currentStreak = z
  .object({ ...streakFields, extended: z.boolean(), ...freezeFields })
  .meta({ id: 'CurrentStreak' });
export type CurrentStreak = z.infer<typeof currentStreak>;

export const streakHistoryElement = z
  .object({
    periodStart: date,
    periodEnd: date,
    length: z.number().int(),
    usedPause: z.boolean(),
    usedFreeze: z.boolean(),
  })
  .meta({ id: 'StreakHistoryElement' });

/** `GET /v1/users/{id}/streak`. */
export const userStreak = z
  .object({
    ...streakFields,
    extended: instant.nullable(),
    streakHistory: z.array(streakHistoryElement),
    pauses: z.array(z.never()),
    ...freezeFields,
  })
  .meta({ id: 'UserStreak' });
export type UserStreak = z.infer<typeof userStreak>;

/** `GET /v1/streaks`. */
export const rankedStreak = z
  .object({ userId: z.string(), streakLength: z.number().int(), extended: instant.nullable() })
  .meta({ id: 'RankedStreak' });
export type RankedStreak = z.infer<typeof rankedStreak>;
