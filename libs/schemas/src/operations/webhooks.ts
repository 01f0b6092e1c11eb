import { z } from 'zod';
import {
  deliveryState,
  newWebhook,
  newWebhookRequest,
  webhook,
  webhookChange,
  webhookDelivery,
  webhookDeliveryPage,
  webhookReplayRequest,
  webhookSecret,
  webhookTest,
} from '../webhooks.ts';
import { type Described, operationsOf } from './operation.ts';
import { CURSOR, inPath, inQuery, PAGE_LIMIT } from './parameters.ts';

const WEBHOOK = inPath('id', z.uuid().meta({ description: 'The endpoint’s id.' }));
const DELIVERY = inPath('delivery', z.string().meta({ description: 'The delivery’s id.', examples: ['4711'] }));
const STATE = inQuery('state', deliveryState.meta({ description: 'Only deliveries in this state. Absent: all.' }));
const PATH = '/admin/v1/webhooks';

const ANSWERED = { status: 204, tookMs: 38, response: '', error: null };
const DELIVERED = {
  id: '4711',
  outcome: '5f0a1c7e-2b7d-5c0e-9a51-3c1d5b7f9e20',
  sequence: 1_200,
  type: 'achievement.completed',
  replay: false,
  state: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  finishedAt: '2026-03-02T20:00:00.000Z',
  ...ANSWERED,
};
const RESENT = {
  ...DELIVERED,
  state: 'pending',
  attempts: 0,
  nextAttemptAt: '2026-03-02T20:05:00.000Z',
  finishedAt: null,
};

/** An operation on one endpoint. */
const ofOne = <Below extends string = ''>(
  operation: Pick<Described, 'method' | 'summary' | 'answers'> & Partial<Described>,
  below: Below = '' as Below,
): Described & { readonly path: `${typeof PATH}/{id}${Below}` } => ({
  ...operation,
  path: `${PATH}/{id}${below}`,
  scope: 'admin',
  parameters: [WEBHOOK, ...(operation.parameters ?? [])],
  problems: ['unknown_webhook', ...(operation.problems ?? []), 'not_in_this_topology'],
});

const shown = (description: string) => ({ 200: { description, schema: webhook } });

export const WEBHOOK_OPERATIONS = operationsOf('Webhooks', {
  listWebhooks: {
    method: 'get',
    path: PATH,
    scope: 'admin',
    summary: 'List the endpoints',
    answers: { 200: { description: 'The endpoints, oldest first.', schema: z.array(webhook) } },
    problems: ['not_in_this_topology'],
  },
  createWebhook: {
    method: 'post',
    path: PATH,
    scope: 'admin',
    summary: 'Create an endpoint',
    description:
      'Laurel sends it outcomes from now on, signed as Standard Webhooks defines. Only this answer shows the secret. At most 50 endpoints.',
    body: {
      schema: newWebhookRequest,
      example: {
        url: 'https://example.com/laurel',
        types: ['achievement.completed', 'streak.lost'],
        description: 'mail',
      },
    },
    answers: { 201: { description: 'The endpoint, and its secret.', schema: newWebhook } },
    problems: ['not_in_this_topology'],
  },
  changeWebhook: ofOne({
    method: 'patch',
    summary: 'Change an endpoint',
    description: 'Deliveries that are already prepared stay as they are, but go to the new URL.',
    body: { schema: webhookChange, example: { types: null } },
    answers: shown('The endpoint.'),
  }),
  deleteWebhook: ofOne({
    method: 'delete',
    summary: 'Delete an endpoint and its deliveries',
    answers: shown('The endpoint as it was.'),
  }),
  enableWebhook: ofOne(
    {
      method: 'post',
      summary: 'Enable an endpoint',
      answers: shown('The endpoint; what has waited for it is sent.'),
    },
    '/enable',
  ),
  disableWebhook: ofOne(
    {
      method: 'post',
      summary: 'Disable an endpoint',
      description: 'Nothing is sent to it until it is enabled again. Outcomes wait for it for up to 30 days.',
      answers: shown('The endpoint.'),
    },
    '/disable',
  ),
  rotateWebhookSecret: ofOne(
    {
      method: 'post',
      summary: 'Give an endpoint a new secret',
      description: 'The previous secret also signs for 24 hours. An even older one ends at once.',
      answers: { 200: { description: 'The secret, shown this once.', schema: webhookSecret } },
    },
    '/secret',
  ),
  testWebhook: ofOne(
    {
      method: 'post',
      summary: 'Send a test to an endpoint',
      description:
        'Sends one request of the type `webhook.test` at once, even if the endpoint is disabled. It is not retried and not listed.',
      answers: {
        200: {
          description: 'How the endpoint answered.',
          schema: webhookTest,
          example: { delivered: true, ...ANSWERED },
        },
      },
    },
    '/test',
  ),
  listWebhookDeliveries: ofOne(
    {
      method: 'get',
      summary: 'List deliveries to an endpoint',
      description:
        'Newest first. Delivered ones are kept for 7 days and abandoned ones for 30, at most the newest 10,000 of each.',
      parameters: [STATE, PAGE_LIMIT, CURSOR],
      answers: {
        200: {
          description: 'A page of deliveries.',
          schema: webhookDeliveryPage,
          example: { deliveries: [DELIVERED], next: '4711' },
        },
      },
      problems: ['invalid_request'],
    },
    '/deliveries',
  ),
  resendWebhookDelivery: ofOne(
    {
      method: 'post',
      summary: 'Send a delivery again',
      description: 'It gets as many attempts as a new delivery. One that waits for its next attempt is tried at once.',
      parameters: [DELIVERY],
      answers: { 202: { description: 'The delivery.', schema: webhookDelivery, example: RESENT } },
      problems: ['unknown_delivery', 'invalid_request'],
    },
    '/deliveries/{delivery}/resend',
  ),
  replayWebhook: ofOne(
    {
      method: 'post',
      summary: 'Send outcomes to an endpoint again',
      description:
        'Sends outcomes from a sequence up to the last one that the endpoint had, with their original ids and the header `webhook-replay: true`. It ends any other replay to the endpoint.',
      body: { schema: webhookReplayRequest, example: { from: 1_200, types: ['achievement.completed'] } },
      answers: { 202: { description: 'The endpoint.', schema: webhook } },
    },
    '/replay',
  ),
});
