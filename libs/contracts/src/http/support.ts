import { z } from 'zod';
import { instant, jsonNumber, jsonWhole } from './fields.ts';
import { user } from './user.ts';

/** The routes below `/admin/v1` that say who is who (specification, section 9.16). */

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Pass it as `cursor` for what follows; null: nothing does.' });

/** `GET /admin/v1/users`. */
export const userPage = z
  .object({
    users: z.array(user).meta({ description: 'By id, in the order of its bytes. There may be fewer than `limit`.' }),
    next: nextCursor,
  })
  .meta({ id: 'UserPage', description: 'A page of users, by id.' });
export type UserPage = z.infer<typeof userPage>;

/** `GET /admin/v1/users/{id}`. */
export const userOverview = user
  .extend({
    metrics: z
      .array(
        z
          .object({
            key: z.string().meta({ description: 'Key of the metric.', examples: ['lessons'] }),
            total: jsonNumber.meta({ description: 'The user’s total.', examples: [12.5] }),
          })
          .meta({ id: 'OverviewMetric', description: 'A user’s total of a metric.' }),
      )
      .meta({
        description: 'Each metric that the user had an event of, by key, those that are configured no more as well.',
      }),
    streak: z
      .object({
        length: z.number().int().meta({ description: 'In periods; 0: none is alive.' }),
        expires: z.iso
          .date()
          .nullable()
          .meta({ description: 'Date at whose end it ends unless it is extended; null: none is alive.' }),
        freezes: z.number().int().optional().meta({ description: 'Freezes held; only with freezes configured.' }),
      })
      .meta({ id: 'OverviewStreak', description: 'A user’s streak as of now.' }),
    achievements: z
      .array(
        z
          .object({
            key: z.string().meta({ description: 'Key of the achievement.', examples: ['first-lesson'] }),
            achievedAt: instant.meta({ description: 'Instant of the event that completed it.' }),
          })
          .meta({ id: 'OverviewAchievement', description: 'An achievement that a user has completed.' }),
      )
      .meta({ description: 'Those completed, in the order in which they were.' }),
    points: z
      .array(
        z
          .object({
            system: z.string().meta({ description: 'Key of the points system.', examples: ['xp'] }),
            total: jsonWhole.meta({ description: 'The user’s total as of now.', examples: [340] }),
            level: z.string().nullable().meta({ description: 'Key of the level reached; null: below all, or none.' }),
          })
          .meta({ id: 'OverviewPoints', description: 'A user’s points in a system.' }),
      )
      .meta({ description: 'Every configured system, in configuration order.' }),
  })
  .meta({ id: 'UserOverview', description: 'A user’s profile, and where they stand.' });
export type UserOverview = z.infer<typeof userOverview>;

/** `GET /admin/v1/achievements/{key}/completions`. */
export const completionPage = z
  .object({
    completions: z
      .array(
        z
          .object({
            userId: z.string().meta({ description: 'Who completed it.', examples: ['ada'] }),
            achievedAt: instant.meta({ description: 'Instant of the event that completed it.' }),
          })
          .meta({ id: 'Completion', description: 'That a user completed an achievement.' }),
      )
      .meta({ description: 'Newest first. There may be fewer than `limit`.' }),
    next: nextCursor,
  })
  .meta({ id: 'CompletionPage', description: 'A page of who completed an achievement, newest first.' });
export type CompletionPage = z.infer<typeof completionPage>;
