import { z } from 'zod';
import { corrected } from './corrections.ts';
import { version } from './explain.ts';
import { instant, jsonNumber, jsonWhole, nextCursor, nullableText, userIdUnlessErased, uuid, whole } from './fields.ts';
import { named } from './named-object.ts';
import { pointsSystemFields } from './points-system-key.ts';

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

export const pointsRequest = z.object({
  ...pointsSystemFields,
  amount: jsonWhole
    .nullable()
    .meta({ description: 'Points asked for; null: everything that was left of the spend.', examples: [120] }),
  accepted: z.boolean().nullable().meta({ description: 'How it was decided; null: not yet.' }),
  moved: jsonWhole.optional().meta({
    description:
      'If it was accepted: the points taken or given. A refund that `maxPoints` cut gave less than it was to.',
    examples: [120],
  }),
  balance: jsonWhole.optional().meta({ description: 'Of a refused spend: the user’s total then.', examples: [20] }),
  missing: jsonWhole.optional().meta({ description: 'Of a refused spend: how many too few.', examples: [100] }),
  left: jsonWhole.optional().meta({ description: 'Of a refused refund: what was left of the spend.', examples: [0] }),
  spend: z.string().optional().meta({ description: 'Of a refund: the event id of the spend.' }),
  reference: z.string().optional().meta({ description: 'Of a spend: the reference that was recorded.' }),
});
export type RequestAnswer = z.infer<typeof pointsRequest>;

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
  request: pointsRequest.optional().meta({ description: 'Of a spend or a refund: what was asked for.' }),
  reason: nullableText.optional().meta({ description: 'Of a spend or a refund: why.' }),
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
