import { idempotencyKeyIn, invalidRequest, metricEventRequest, ProblemError, readRequest } from '@laurel/schemas';
import { configured, jsonBody, principalOf } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { assignSubject } from './assign-subjects.ts';
import { keyFields, recordMetricEvent } from './commands.ts';
import { idempotencyHeader } from './idempotency-header.ts';
import type { IngestionPorts } from './ports.ts';
import { refusal } from './refusals.ts';
import { outcomeOf } from './submit-one.ts';

/** `POST /api/metrics/{key}/event`: answers 201, or 202 for a replay (specification, sections 2 and 3). */
export async function recordEvent(ports: IngestionPorts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { metric, event, origin } = await countingRefusals(ports, () => readRequested(ports, request));
  const { account, idempotencyKey } = origin;
  const userId = event.user.id;
  const subject = await countingRefusals(ports, () => assignSubject(ports, account, userId, 'user.id'));
  const outcome = await outcomeOf(ports, recordMetricEvent(event, origin, subject));
  ports.counts.count(outcome);
  if (outcome.kind === 'refused') throw refusal(outcome, userId);
  const text = ports.writeEventAnswer(outcome, { metric, idempotencyKey });
  void reply
    .code(outcome.kind === 'recorded' ? 201 : 202)
    .header('content-type', JSON_TYPE)
    .send(text);
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function countingRefusals<T>({ counts }: IngestionPorts, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    counts.refuseFor(error);
    throw error;
  }
}

function readRequested(ports: IngestionPorts, request: FastifyRequest) {
  const { account } = principalOf(request);
  const body = jsonBody(request);
  const { key: metricKey } = request.params as { readonly key: string };
  const metric = configured('unknown_metric', metricKey, ports.configuration(account).current.metricByKey);
  const { event, key } = readEvent(body, request);
  return { metric, event, origin: { account, metric: metric.key, occurredAt: null, ...key } };
}

/** @throws ProblemError 422 that lists the faults of the header and of the body. */
function readEvent(body: object, request: FastifyRequest) {
  const { data: event, errors } = readRequest(metricEventRequest, body);
  const before = errors.length;
  const header = idempotencyHeader(request, errors);
  const inBody = event?.idempotencyKey ?? null;
  if (errors.length === before && header !== undefined && inBody !== null && idempotencyKeyIn(inBody) !== header.key)
    errors.push({ path: 'idempotencyKey', message: 'must be the same as the header Idempotency-Key' });
  if (event === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { event, key: header === undefined ? keyFields(inBody) : keyFields(header.key, header.quoted) };
}
