import { z } from 'zod';
import { actor } from './attribution.ts';
import { instant, jsonNumber, nullableText, uuid, whole } from './fields.ts';
import { named } from './named-object.ts';

export const version = whole.meta({
  description: 'The configuration version under which the event was applied.',
  examples: [1],
});

/** The types of the events that concern a user. */
export const USER_EVENT_TYPES = [
  'MetricEventRecorded',
  'UserIdentified',
  'AchievementCompletedByCall',
  'GrantRecorded',
  'SpendRequested',
  'RefundRequested',
  'CorrectionRecorded',
  'UserErased',
  'UsersSwept',
] as const;

/** The event that caused something, in short. */
export const causingEvent = named('CausingEvent', 'A recorded event that concerns the user.', {
  id: uuid.meta({ description: 'The event’s id. `/admin/v1/events/{eventId}` shows everything that it caused.' }),
  type: z
    .enum(USER_EVENT_TYPES)
    .meta({ description: 'The type of the recorded event. `UsersSwept`: only time had passed.' }),
  metric: z
    .string()
    .optional()
    .meta({ description: 'Of a metric event: the metric’s key.', examples: ['lessons'] }),
  value: jsonNumber.optional().meta({ description: 'Of a metric event: its value.', examples: [3] }),
  by: actor.optional().meta({ description: 'Of a grant or a correction: who did it.' }),
  reason: nullableText.optional().meta({ description: 'Of a grant, a request for points or a correction: why.' }),
  reference: z.string().optional().meta({ description: 'Of a spend: the reference that was recorded.' }),
  recordedAt: instant.meta({
    description: 'When it was recorded; for an imported event, this may be long after its instant.',
  }),
});
export type CausingEvent = z.infer<typeof causingEvent>;

export const preparing = z.boolean().meta({
  description:
    'The user’s events are being applied in the background: ask again, and `complete` is true. false: it is complete, or never will be: the user has more than 250,000 events, or corrections that ask for too many of them again (specification, 9.17).',
  examples: [false],
});
