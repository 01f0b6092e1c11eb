import { z } from 'zod';
import { count, date, instant, whole } from './fields.ts';
import { named } from './named-object.ts';

const streakFields = {
  length: whole.meta({ description: 'Periods in a row; 0 if no streak is alive.', examples: [3] }),
  frequency: z
    .enum(['daily', 'weekly', 'monthly'])
    .meta({ description: 'How long a period is; `daily` if no streak is configured.' }),
  started: date
    .nullable()
    .meta({ description: 'Date of the event that started it, in the user’s time zone; null if no streak is alive.' }),
  periodStart: date.nullable().meta({ description: 'First date of the current period; null if there is none.' }),
  periodEnd: date.nullable().meta({ description: 'Last date of the current period; null if there is none.' }),
  expires: date.nullable().meta({
    description: 'The last date, in the user’s time zone, on which the streak is alive; null if no streak is.',
  }),
};

/** Present only if freezes are configured (specification, section 4). */
const freezeFields = {
  freezes: whole.optional().meta({ description: 'Only with freezes configured: how many the user holds.' }),
  maxFreezes: whole.optional().meta({ description: 'Only with freezes configured: how many a user may hold.' }),
  freezeAutoEarnInterval: whole.nullable().optional().meta({
    description:
      'Only with freezes configured: after how many days of 24 hours more are earned; null: none are earned.',
  }),
  freezeAutoEarnAmount: whole
    .nullable()
    .optional()
    .meta({ description: 'Only with freezes configured: how many are earned then; null: none.' }),
};

/** The streak in an event's answer. */
export const currentStreak = named(
  'CurrentStreak',
  'The streak after an event; in the answer to a replay, as of now.',
  {
    ...streakFields,
    extended: z.boolean().meta({ description: 'Whether this event extended it.' }),
    ...freezeFields,
  },
);
export type CurrentStreak = z.infer<typeof currentStreak>;

const streakHistoryElement = named('StreakHistoryElement', 'One period of a streak’s history.', {
  periodStart: date.meta({ description: 'First date of the period.' }),
  periodEnd: date.meta({ description: 'Last date of the period.' }),
  length: whole.meta({
    description: 'The streak’s length as of this period if it was met or bridged, else 0.',
  }),
  usedPause: z.boolean().meta({ description: 'Always false.' }),
  usedFreeze: z.boolean().meta({ description: 'Whether a freeze bridged it.' }),
});

/** `GET /v1/users/{id}/streak`. */
export const userStreak = named('UserStreak', 'A user’s streak as of now.', {
  ...streakFields,
  extended: instant.nullable().meta({ description: 'Instant of the last extension; null if no streak is alive.' }),
  streakHistory: z
    .array(streakHistoryElement)
    .meta({ description: 'The newest periods, ending with the current one, oldest first.' }),
  pauses: z.array(z.never()).meta({ description: 'Always empty.' }),
  ...freezeFields,
});
export type UserStreak = z.infer<typeof userStreak>;

/** `GET /v1/streaks`. */
export const rankedStreak = named('RankedStreak', 'The length of a user’s streak.', {
  userId: z.string().meta({ description: 'The user.' }),
  streakLength: whole.meta({ description: 'Periods in a row; 0 if none is alive or the user is unknown.' }),
  extended: instant.nullable().meta({ description: 'Instant of the last extension; null if no streak is alive.' }),
});
export type RankedStreak = z.infer<typeof rankedStreak>;

/** The most lengths listed. */
export const MOST_LENGTHS = 1_000;

/** `GET /admin/v1/streaks/survival`. */
export const streakSurvival = named('StreakSurvival', 'How long the streaks of all users lasted.', {
  frequency: z
    .enum(['daily', 'weekly', 'monthly'])
    .nullable()
    .meta({ description: 'How long a period is; null: no streak is configured.' }),
  lengths: z
    .array(
      named('StreakLengthCount', 'How many streaks reached a length.', {
        length: whole.min(1).meta({ description: 'Periods in a row.' }),
        reached: count.meta({ description: 'Streaks that reached this length.' }),
        ended: count.meta({
          description: 'Streaks that ended at this length, without those that have been restored since.',
        }),
      }),
    )
    .max(MOST_LENGTHS)
    .meta({ description: 'The lengths from 1 to 1,000 that any streak reached, shortest first.' }),
  longest: count.meta({ description: 'The longest length of any streak, even beyond 1,000; 0: there was no streak.' }),
});
export type StreakSurvivalAnswer = z.infer<typeof streakSurvival>;
