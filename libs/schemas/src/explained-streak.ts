import { z } from 'zod';
import { preparing } from './explain.ts';
import { date, instant, jsonNumber, uuid, whole } from './fields.ts';
import { named } from './named-object.ts';

const explainedPeriod = named('ExplainedPeriod', 'A period of a streak, and how far the user came in it.', {
  periodStart: date.meta({ description: 'First date.' }),
  periodEnd: date.meta({ description: 'Last date.' }),
  status: z.enum(['met', 'bridged', 'skipped', 'excused', 'missed', 'open']).meta({
    description:
      '`bridged`: a freeze was used. `skipped`: a change of the user’s time zone skipped it, or cut it short, so it counts as kept. `excused`: by hand, so it counts as kept. `open`: it is the current one, and not met yet.',
  }),
  length: whole.meta({ description: 'The streak’s length as of it; 0 unless it was kept.', examples: [4] }),
  at: instant
    .nullable()
    .meta({ description: 'When it was met, or the freeze was used; null: neither, or see `complete`.' }),
  eventId: uuid
    .nullable()
    .meta({ description: 'The event that met it, and so extended the streak; null: none did, or see `complete`.' }),
  conditions: z
    .array(
      z.object({
        metric: z.string().meta({ description: 'Key of the metric.', examples: ['lessons'] }),
        progress: jsonNumber.meta({ description: 'The user’s progress in this period.', examples: [2] }),
        threshold: jsonNumber.meta({
          description: 'The threshold of the condition, in the version of the last event.',
          examples: [3],
        }),
      }),
    )
    .nullable()
    .meta({ description: 'As of the last metric event in the period; empty: there was none. null: see `complete`.' }),
});

/** The most changes of a user's clock that are listed. */
export const MOST_ZONE_CHANGES = 20;

/** `GET /admin/v1/users/{id}/explain/streak`. */
export const explainedStreak = named('ExplainedStreak', 'Why a streak is as long as it is.', {
  length: whole.meta({ description: 'The streak’s length as of now.', examples: [4] }),
  complete: z.boolean().meta({
    description:
      'true: the user’s events were applied again. false: the user has many events, and they are not applied yet; periods are the stored ones, and `at`, `conditions` and `ends` are null.',
  }),
  preparing,
  periods: z.array(explainedPeriod).meta({ description: 'Newest first, from the user’s creation on.' }),
  ends: z
    .array(
      z.object({
        at: instant.meta({ description: 'The instant at which it ended, in UTC.' }),
        localTime: z.string().meta({
          description: 'What the clock of `zone` showed at that instant.',
          examples: ['2026-03-02T00:00:00.000'],
        }),
        length: whole.meta({ description: 'The length that the streak had.', examples: [4] }),
        zone: z.string().meta({ description: 'The user’s time zone at that time.', examples: ['Europe/Berlin'] }),
      }),
    )
    .nullable()
    .meta({ description: 'When streaks ended, newest first, at most 20.' }),
  zoneChanges: z
    .array(
      named('ZoneChange', 'A change of a user’s time zone.', {
        at: instant.meta({ description: 'The instant from which dates follow `to`, in UTC.' }),
        localTime: z.string().meta({
          description:
            'What the clock of `to` showed at that instant. Its date lies in the period that the change concerns.',
          examples: ['2026-03-02T09:30:00.000'],
        }),
        from: z.string().meta({ description: 'The user’s time zone before.', examples: ['Europe/Berlin'] }),
        to: z.string().meta({ description: 'The user’s time zone since then.', examples: ['Asia/Tokyo'] }),
      }),
    )
    .max(MOST_ZONE_CHANGES)
    .meta({
      description:
        'How the user’s clock changed, newest first, at most 20, whichever periods are asked for. The clock that the user was created with is no change.',
    }),
});
export type ExplainedStreakAnswer = z.infer<typeof explainedStreak>;
