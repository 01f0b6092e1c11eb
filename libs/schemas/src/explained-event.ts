import { z } from 'zod';
import { corrected } from './corrections.ts';
import { version } from './explain.ts';
import { instant, jsonNumber, nextCursor, nullableText, userIdUnlessErased, uuid, whole } from './fields.ts';
import { named } from './named-object.ts';

export const eventInWords = z.string().meta({
  description: 'The event in words, for people, with the names that the configuration has for keys.',
  examples: ['3 Lessons'],
});

const words = z.string().meta({
  description: 'The same in words, for people: amounts first, with the names that the configuration has for keys.',
  examples: ['500 xp for Bookworm, now 500'],
});

export const effect = z
  .looseObject({
    type: z.string().meta({ description: 'What happened.', examples: ['PointsAwarded'] }),
    words,
  })
  .meta({
    id: 'Effect',
    description:
      'Something that an event caused. Which other fields it has depends on its `type`; see ARCHITECTURE.md.',
  });
export type EffectAnswer = z.infer<typeof effect>;

export const pointsLeftOut = whole.meta({
  description:
    'How many effects on points come before the last 100, which are shown. `/admin/v1/users/{id}/explain/points/{key}/events/{eventId}` shows all.',
  examples: [0],
});

/** `GET /admin/v1/events/{eventId}`. */
export const explainedEvent = named('ExplainedEvent', 'A recorded event, and what it caused.', {
  id: uuid.meta({ description: 'The event’s id.' }),
  type: z.string().meta({ description: 'The type of the recorded event.', examples: ['MetricEventRecorded'] }),
  words: eventInWords,
  at: instant.meta({ description: 'The event’s instant.' }),
  recordedAt: instant.meta({ description: 'When it was recorded.' }),
  position: whole.meta({ description: 'Its place in the log.', examples: [42] }),
  version,
  userId: nullableText.meta({
    description: 'The user whom the event concerns; null: none, several, or one who was erased.',
    examples: ['ada'],
  }),
  metric: nullableText.meta({ description: 'Of a metric event: the metric’s key.', examples: ['lessons'] }),
  value: jsonNumber.nullable().meta({ description: 'Of a metric event: its value.', examples: [3] }),
  corrected,
  users: whole.meta({
    description: 'Number of users whom it concerns; 0: it concerns the whole account.',
    examples: [1],
  }),
  caused: z
    .array(
      z.object({
        userId: userIdUnlessErased,
        effects: z.array(effect).meta({ description: 'In the order in which they happened; ranks last.' }),
        pointsLeftOut,
        runsLeftOut: whole.meta({
          description:
            'Ranks are shown of the first 50 runs that the event concerns, and of so many others not. `/admin/v1/users/{id}/explain/leaderboards/{key}?run=` shows those of any run.',
          examples: [0],
        }),
      }),
    )
    .meta({
      description:
        'What it caused, for each user in the order of the event. There may be fewer than `limit`: only `next` says whether others follow. An area that has halted is not in it yet.',
    }),
  next: nextCursor,
});
export type ExplainedEventAnswer = z.infer<typeof explainedEvent>;
