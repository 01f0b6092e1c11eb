import { z } from 'zod';
import { OUTCOME_TYPES } from '@laurel/kernel';
import { actor } from './attribution.ts';
import { count, instant, nextCursor, nullableText, uuid, whole } from './fields.ts';

import { must, mustBeOneOf, text } from './text.ts';
import { named, namedStrictBody } from './named-object.ts';

/** The routes below `/admin/v1/webhooks` (specification, section 12). */

const webhookOrdering = z.enum(['user', 'strict'], must('user or strict')).meta({
  description:
    'user: the outcomes of a user come in order, and one that fails holds back only those of its user. strict: all come in order, one at a time.',
});
export type WebhookOrdering = z.infer<typeof webhookOrdering>;

const url = text(1, 2_000).meta({
  description: 'The URL that outcomes are sent to: https, a public address, without user name and password.',
  examples: ['https://example.com/laurel'],
});
const description = text(0, 255).meta({ description: 'A description, for people.', examples: ['mail'] });
const WHAT_TYPE = 'a type of outcomes, like achievement.completed';
const types = z
  .array(
    z
      .string(must(WHAT_TYPE))
      .refine((type) => OUTCOME_TYPES.some((known) => known === type), mustBeOneOf(OUTCOME_TYPES, WHAT_TYPE)),
    must('a list of types, or null'),
  )
  .min(1, must('a list of types, or null'))
  .max(50, 'must have at most 50 types');
const shownTypes = z.array(z.string().meta({ examples: ['achievement.completed'] })).nullable();
const TYPES = 'The types of outcomes that are sent; null: all.';
const trophySignature = z.boolean(must('true or false')).meta({
  description: 'Whether `X-Trophy-Signature` is sent as well: base64 of the HMAC-SHA256 of the body by the secret.',
});

export const DEFAULT_MINIMUM_INTERVAL = 900;

const minimumInterval = z
  .number(must('a number of seconds'))
  .int(must('a whole number of seconds'))
  .min(0, must('from 0 to 86400'))
  .max(86_400, must('from 0 to 86400'))
  .meta({
    description:
      'Seconds in which `points.changed`, `leaderboard.rank_changed` and `leaderboard.changed` are sent at most once for each user and subject; 0: each of them is sent. With `strict` ordering each is.',
    examples: [DEFAULT_MINIMUM_INTERVAL],
  });

/** The body of `POST /admin/v1/webhooks`. Unknown fields are refused. */
export const newWebhookRequest = namedStrictBody('NewWebhookRequest', 'An endpoint to create.', {
  url,
  types: types.nullable().optional().meta({ description: TYPES }),
  description: description.optional(),
  ordering: webhookOrdering.optional(),
  trophySignature: trophySignature.optional(),
  minimumInterval: minimumInterval.optional(),
});
export type NewWebhookRequest = z.infer<typeof newWebhookRequest>;

/** The body of `PATCH /admin/v1/webhooks/{id}`. */
export const webhookChange = newWebhookRequest
  .partial()
  .meta({ id: 'WebhookChange', description: 'Changes to an endpoint; fields that are absent stay unchanged.' });
export type WebhookChange = z.infer<typeof webhookChange>;

export const webhook = named('Webhook', 'An endpoint that outcomes are sent to, and the state of its deliveries.', {
  id: uuid.meta({ description: 'Its id.' }),
  url: z.string().meta({ description: 'The URL that outcomes are sent to.' }),
  description: z.string().meta({ description: 'The description.' }),
  types: shownTypes.meta({ description: TYPES }),
  ordering: webhookOrdering,
  trophySignature,
  minimumInterval,
  state: z
    .enum(['enabled', 'disabled'])
    .meta({ description: 'Whether it is enabled. While it is disabled, outcomes wait.' }),
  disabledBecause: nullableText.meta({ description: 'Why it is disabled; null: it is enabled.' }),
  stateSince: instant.meta({ description: 'Since when it has been in this state.' }),
  failingSince: instant.nullable().meta({
    description: 'The first failure after the last success. Five days later the endpoint is disabled. null: none.',
  }),
  lastSuccessAt: instant.nullable().meta({ description: 'The last successful delivery; null: none yet.' }),
  behind: count.meta({
    description: 'Upper bound for the outcomes, of all types, that have not been considered for this endpoint yet.',
  }),
  unfinished: count.meta({ description: 'Deliveries that wait for their first or their next attempt, up to 1,000.' }),
  heldBack: count.meta({
    description: 'Of these, deliveries held back to be combined with later ones, up to 1,000.',
  }),
  abandoned: count.meta({ description: 'Deliveries that were given up in the last 30 days, up to 1,000.' }),
  oldestAt: instant.nullable().meta({
    description:
      'Since when the oldest undelivered outcome has waited: since it happened or, in a replay or a resend, since that was requested. An outcome also waits while the endpoint is disabled. null: nothing waits, apart from what is held back.',
  }),
  replaying: z.boolean().meta({ description: 'Whether a replay is under way.' }),
  rotatedUntil: instant
    .nullable()
    .meta({ description: 'Until when the previous secret also signs; null: there is none.' }),
  createdAt: instant.meta({ description: 'When it was created; what happened before is not sent.' }),
  createdBy: actor,
  warnings: z.array(z.string()).meta({
    description: 'What keeps the endpoint from getting its types: those that the configuration does not make.',
    examples: [
      ['points.changed is among the types, but the configuration does not make it: name it in outgoing.events'],
    ],
  }),
});
export type WebhookAnswer = z.infer<typeof webhook>;

export const webhookStatus = webhook
  .pick({
    id: true,
    url: true,
    state: true,
    disabledBecause: true,
    failingSince: true,
    lastSuccessAt: true,
    behind: true,
    unfinished: true,
    heldBack: true,
    abandoned: true,
    oldestAt: true,
    warnings: true,
  })
  .meta({ id: 'WebhookStatus', description: 'How far behind a webhook is.' });
export type WebhookStatus = z.infer<typeof webhookStatus>;

const secret = z.string().meta({
  description: 'The secret that signs the requests. Only this answer shows it.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

export const newWebhook = webhook
  .extend({ secret })
  .meta({ id: 'CreatedWebhook', description: 'An endpoint, and its secret.' });
export type NewWebhookAnswer = z.infer<typeof newWebhook>;

export const webhookSecret = named('WebhookSecret', 'A new secret.', {
  secret,
  previousUntil: instant
    .nullable()
    .meta({ description: 'Until when the previous secret also signs; null: there was none.' }),
});
export type WebhookSecretAnswer = z.infer<typeof webhookSecret>;

const attempted = {
  status: whole.nullable().meta({ description: 'HTTP status of the latest answer; null: there was none.' }),
  tookMs: count
    .nullable()
    .meta({ description: 'Duration of the latest attempt in milliseconds; null: there was none.' }),
  response: nullableText.meta({ description: 'The first KiB of the latest answer; null: there was none.' }),
  error: nullableText.meta({ description: 'Why the latest attempt failed; null: it did not.' }),
};

/** `POST /admin/v1/webhooks/{id}/test`. */
export const webhookTest = named('WebhookTest', 'How one request with the type `webhook.test` was answered.', {
  delivered: z.boolean().meta({ description: 'Whether it was answered with 2xx in time.' }),
  ...attempted,
});
export type WebhookTestAnswer = z.infer<typeof webhookTest>;

const DELIVERY_STATES = ['waiting', 'pending', 'failed', 'delivered', 'abandoned'] as const;
export const deliveryState = z.enum(DELIVERY_STATES, mustBeOneOf(DELIVERY_STATES));
export type DeliveryState = z.infer<typeof deliveryState>;

export const webhookDelivery = named('WebhookDelivery', 'An outcome on its way to an endpoint.', {
  id: z.string().meta({ description: 'Its id, a number.', examples: ['4711'] }),
  outcome: uuid.meta({ description: 'Id of the outcome: the header `webhook-id`.' }),
  sequence: whole.meta({ description: 'Sequence of the outcome.' }),
  type: z.string().meta({ description: 'Type of the outcome.', examples: ['achievement.completed'] }),
  replay: z.boolean().meta({ description: 'Whether it comes from a replay.' }),
  state: deliveryState.meta({
    description:
      'waiting: behind another one of its user, or for more to be sent with it. pending: not tried yet. failed: will be tried again. delivered. abandoned: given up.',
  }),
  attempts: count.meta({ description: 'How often it was tried.' }),
  nextAttemptAt: instant
    .nullable()
    .meta({ description: 'When it is tried next; null: not before another one, or never.' }),
  finishedAt: instant.nullable().meta({ description: 'When it was delivered or given up; null: neither.' }),
  ...attempted,
});
export type WebhookDeliveryAnswer = z.infer<typeof webhookDelivery>;

export const webhookDeliveryPage = named('WebhookDeliveryPage', 'A page of deliveries.', {
  deliveries: z.array(webhookDelivery).meta({ description: 'The newest first.' }),
  next: nextCursor,
});
export type WebhookDeliveryPage = z.infer<typeof webhookDeliveryPage>;

/** The body of `POST /admin/v1/webhooks/{id}/replay`. */
export const webhookReplayRequest = namedStrictBody('WebhookReplayRequest', 'Which outcomes to send again.', {
  from: z
    .int(must('a whole number from 1'))
    .min(1, must('a whole number from 1'))
    .meta({ description: 'Sequence of the first outcome that is sent again.', examples: [1_200] }),
  types: types.nullable().optional().meta({ description: 'Only these types; absent or null: those of the endpoint.' }),
});
export type WebhookReplayRequest = z.infer<typeof webhookReplayRequest>;
