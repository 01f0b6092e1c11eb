import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import { answersFor } from './answer.mjs';
import { millionthsOf } from './millionths.mjs';
import { METRICS } from './product.mjs';

const nullable = (schema) => ({ ...schema, nullable: true });
const attributes = nullable({
  type: 'object',
  maxProperties: 50,
  additionalProperties: nullable({ type: 'string', maxLength: 1_024 }),
});
const EVENT = {
  type: 'object',
  required: ['user', 'value'],
  properties: {
    user: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string', minLength: 1, maxLength: 255 },
        name: nullable({ type: 'string', maxLength: 255 }),
        email: nullable({ type: 'string', maxLength: 320 }),
        tz: nullable({ type: 'string', maxLength: 64 }),
        attributes,
      },
    },
    value: { type: 'number', minimum: -1e9, maximum: 1e9 },
    attributes,
  },
};

/**
 * The HTTP side that all baselines share: the API key, validation by a compiled schema, the whole answer.
 *
 * @param {{ record: (event: object) => Promise<import('./answer.mjs').Outcome>, state: (user: string) => Promise<object> }} baseline
 */
export function httpFront(baseline, { apiKey, descriptions }) {
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false } }, bodyLimit: 65_536 });
  const keys = new Set([digest(apiKey)]);
  const answerTo = answersFor(descriptions);
  const metrics = new Map(METRICS.map((key, place) => [key, place]));

  app.setErrorHandler((error, _, reply) => {
    const status = error.validation ? 422 : (error.statusCode ?? 500);
    return reply.code(status).type('application/problem+json').send({ status, detail: error.message });
  });
  app.get('/readyz', () => ({ ready: true }));
  app.get('/state/:user', (request) => baseline.state(request.params.user));
  app.post('/api/metrics/:metric/event', { schema: { body: EVENT }, preValidation: guard }, async (request, reply) => {
    const metric = metrics.get(request.params.metric);
    if (metric === undefined) throw failure(404, `There is no metric '${request.params.metric}'.`);
    const event = {
      metric,
      user: request.body.user,
      value: millionthsOf(request.body.value),
      key: request.headers['idempotency-key'] ?? null,
      now: Date.now(),
    };
    const outcome = await baseline.record(event);
    reply.code(outcome.replayed ? 202 : 201);
    return answerTo(event, outcome);
  });
  return app;

  async function guard(request) {
    const key = request.headers['x-api-key'];
    if (key === undefined || !keys.has(digest(key))) throw failure(401, 'The API key is missing or unknown.');
  }
}

const digest = (text) => createHash('sha256').update(text).digest('base64');
const failure = (statusCode, message) => Object.assign(new Error(message), { statusCode });
