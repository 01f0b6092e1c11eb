import { BOOST_ROUNDINGS } from '@laurel/kernel';
import { z } from 'zod';
import { pointsSystemFields } from './points-system-key.ts';
import { actor } from './attribution.ts';
import { corrected, recordedCorrection } from './corrections.ts';
import { causingEvent } from './explain.ts';
import { effect, eventInWords, pointsLeftOut, pointsRequest } from './explained-event.ts';
import { date, instant, jsonNumber, jsonWhole, nextCursor, nullableText, whole } from './fields.ts';
import { user } from './user.ts';
import { earned } from './points.ts';
import { named } from './named-object.ts';

/** The routes of support below `/admin/v1` (specification, section 9.16). */

/** `GET /admin/v1/users`. */
export const userPage = named('UserPage', 'A page of users, by id.', {
  users: z.array(user).meta({ description: 'Ordered by id, byte by byte. There may be fewer than `limit`.' }),
  next: nextCursor,
});
export type UserPage = z.infer<typeof userPage>;

/** `GET /admin/v1/users/{id}`. */
export const userOverview = user
  .extend({
    metrics: z
      .array(
        named('OverviewMetric', 'A user’s total of a metric.', {
          key: z.string().meta({ description: 'Key of the metric.', examples: ['lessons'] }),
          total: jsonNumber.meta({ description: 'The user’s total.', examples: [12.5] }),
        }),
      )
      .meta({
        description:
          'Each metric for which the user has an event, by key, including metrics that are no longer configured.',
      }),
    streak: named('OverviewStreak', 'A user’s streak as of now.', {
      length: whole.meta({ description: 'Length in periods; 0: no streak is alive.' }),
      expires: z.iso
        .date()
        .nullable()
        .meta({ description: 'The streak ends with this date unless it is extended; null: no streak is alive.' }),
      freezes: whole.optional().meta({ description: 'Freezes held; only with freezes configured.' }),
    }),
    achievements: z
      .array(
        named('OverviewAchievement', 'An achievement that a user has completed.', {
          key: z.string().meta({ description: 'Key of the achievement.', examples: ['first-lesson'] }),
          achievedAt: instant.meta({ description: 'Instant of the event that completed it.' }),
        }),
      )
      .meta({ description: 'The completed achievements, in the order of completion.' }),
    points: z
      .array(
        named('OverviewPoints', 'A user’s points in a system.', {
          ...pointsSystemFields,
          total: jsonWhole.meta({ description: 'The user’s total as of now.', examples: [340] }),
          earned,
          level: nullableText.meta({
            description: 'Key of the current level; null: below all levels, or the system has none.',
          }),
        }),
      )
      .meta({ description: 'Every configured system, in configuration order.' }),
  })
  .meta({ id: 'UserOverview', description: 'A user’s profile, and where they stand.' });
export type UserOverview = z.infer<typeof userOverview>;

/** `GET /admin/v1/achievements/{key}/completions`. */
export const completionPage = named('CompletionPage', 'A page of completions of an achievement, newest first.', {
  completions: z
    .array(
      named('Completion', 'A completion of an achievement by a user.', {
        userId: z.string().meta({ description: 'The user who completed it.', examples: ['ada'] }),
        achievedAt: instant.meta({ description: 'Instant of the event that completed it.' }),
      }),
    )
    .meta({ description: 'Newest first. There may be fewer than `limit`.' }),
  next: nextCursor,
});
export type CompletionPage = z.infer<typeof completionPage>;

/** `GET /admin/v1/points/{key}/levels/{level}/users`. */
export const levelUserPage = named('LevelUserPage', 'A page of users on a level, newest first.', {
  users: z
    .array(
      named('LevelUser', 'A user on a level.', {
        userId: z.string().meta({ description: 'The user on the level.', examples: ['ada'] }),
        reachedAt: instant.meta({ description: 'When the user reached the level.' }),
      }),
    )
    .meta({ description: 'Newest first. There may be fewer than `limit`.' }),
  next: nextCursor,
});
export type LevelUserPage = z.infer<typeof levelUserPage>;

const effectsOf = (area: string) =>
  z.array(effect).meta({ description: `Of ${area}, in the order in which they happened.` });

const timelineEvent = named('TimelineEvent', 'A recorded event that concerns the user, and what it caused.', {
  id: causingEvent.shape.id,
  type: causingEvent.shape.type,
  words: eventInWords,
  occurredAt: instant.meta({ description: 'The event’s instant.' }),
  recordedAt: causingEvent.shape.recordedAt,
  version: whole.meta({ description: 'The configuration version under which it was applied.', examples: [1] }),
  metric: causingEvent.shape.metric,
  value: causingEvent.shape.value,
  attributes: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'Of a metric event: its attributes.', examples: [{ course: 'greek' }] }),
  imported: z
    .boolean()
    .optional()
    .meta({ description: 'Of a metric event: whether the caller sent the instant, as imports do.' }),
  achievement: z
    .string()
    .optional()
    .meta({ description: 'Of a completion by call: key of the achievement.', examples: ['profile'] }),
  grant: z
    .object({
      kind: z
        .enum(['points', 'boost', 'freezes', 'streak', 'excused', 'achievement', 'revocation'])
        .meta({ description: 'What was granted.' }),
      pointsSystem: pointsSystemFields.pointsSystem.optional(),
      system: pointsSystemFields.system.optional(),
      amount: jsonWhole
        .optional()
        .meta({ description: 'Points or freezes to give; negative: points to take.', examples: [50] }),
      boards: z.boolean().optional().meta({ description: 'Of points: whether they count on leaderboards.' }),
      name: z
        .string()
        .optional()
        .meta({ description: 'Of a boost: its name.', examples: ['Happy hour'] }),
      multiplier: z
        .number()
        .optional()
        .meta({ description: 'Of a boost: what it multiplies by.', examples: [2] }),
      rounding: z.enum(BOOST_ROUNDINGS).optional().meta({ description: 'Of a boost: how it rounds.' }),
      until: instant
        .optional()
        .meta({ description: 'Of a boost: when it ends, unless it was given for some minutes.' }),
      minutes: whole.optional().meta({ description: 'Of a boost: for how many minutes it was given.', examples: [60] }),
      from: date.optional().meta({ description: 'Of excused days: the first date.' }),
      to: date.optional().meta({ description: 'Of excused days: the last date.' }),
      achievement: z
        .string()
        .optional()
        .meta({ description: 'Of an achievement and a revocation: key of the achievement.', examples: ['profile'] }),
    })
    .optional()
    .meta({ description: 'Of a grant: what was granted.' }),
  request: pointsRequest.optional().meta({ description: 'Of a spend or a refund: what was asked for.' }),
  correction: recordedCorrection.optional().meta({ description: 'Of a correction: what it corrects.' }),
  by: actor.optional().meta({ description: 'Of a grant or a correction: who did it.' }),
  reason: nullableText.optional().meta({ description: 'Of a grant, a request for points or a correction: why.' }),
  corrected,
  effects: named(
    'EffectsByArea',
    'What the event caused for the user, without ranks. A halted area shows nothing yet.',
    {
      users: effectsOf('profile and totals'),
      streaks: effectsOf('the streak'),
      achievements: effectsOf('achievements'),
      points: effectsOf('points'),
    },
  ),
  pointsLeftOut,
});
export type TimelineEvent = z.infer<typeof timelineEvent>;

/** An event as `GET /admin/v1/live` shows it. */
const liveEvent = timelineEvent
  .omit({ corrected: true })
  .extend({
    userId: nullableText.meta({ description: 'Whose event it is; null: the user has been erased.', examples: ['ada'] }),
  })
  .meta({ id: 'LiveEvent', description: 'An event of a user and what it caused, in the live feed.' });
export type LiveEvent = z.infer<typeof liveEvent>;

/** The data of a message of `GET /admin/v1/live`. */
export const liveEvents = named('LiveEvents', 'What was recorded since the message before.', {
  events: z.array(liveEvent).meta({ description: 'In the order in which they were recorded: at most 50.' }),
  skipped: whole.meta({ description: 'Number of earlier events that were left out.', examples: [0] }),
});
/** `GET /admin/v1/users/{id}/events`. */
export const userTimeline = named('UserTimeline', 'A page of the events that concern a user, newest first.', {
  events: z.array(timelineEvent).meta({ description: 'Newest recorded first.' }),
  next: nextCursor,
});
export type UserTimeline = z.infer<typeof userTimeline>;
