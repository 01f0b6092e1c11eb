import {
  type EventAnswer,
  invalidRequest,
  isIdempotencyKey,
  type Metric,
  metricEventRequest,
  ProblemError,
  type ProblemItem,
  problemItems,
  problemOf,
} from '@laurel/contracts';
import { headerText, jsonBody, principalOf } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordMetricEvent } from './commands.ts';
import type { IngestionPorts } from './ports.ts';
import { refusal } from './refusals.ts';

/** `POST /api/metrics/{key}/event`: 201, or 202 for a replay (specification, sections 2 and 3). */
export async function recordEvent(
  ports: IngestionPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<EventAnswer> {
  const { account } = principalOf(request);
  const body = jsonBody(request);
  const metric = knownMetric(ports, account, (request.params as { key: string }).key);
  const { event, idempotencyKey } = readRequest(body, headerValues(request.raw.rawHeaders, 'idempotency-key'));
  const command = recordMetricEvent(event, { account, metric: metric.key, idempotencyKey, occurredAt: null });
  const [outcome] = await ports.intake.submit([command]);
  if (outcome === undefined) throw new Error('the intake answered without an outcome');
  if (outcome.kind === 'refused') throw refusal(outcome);
  reply.code(outcome.kind === 'recorded' ? 201 : 202);
  return ports.composeEventAnswer(outcome, { metric, idempotencyKey });
}

function knownMetric(ports: IngestionPorts, account: string, key: string): Metric {
  const metric = ports.configuration(account).current.metricByKey.get(key);
  if (metric === undefined) throw new ProblemError(problemOf('unknown_metric', 'There is no metric with this key.'));
  return metric;
}

/** Every value that a header came with; Node would join them into one. */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** @throws ProblemError 422 that lists what is wrong with the header as well as with the body. */
function readRequest(body: object, headers: readonly string[]) {
  const [header] = headers;
  const idempotencyKey = header === undefined ? null : headerText(header);
  const parsed = metricEventRequest.safeParse(body);
  const errors: ProblemItem[] = parsed.success ? [] : problemItems(parsed.error);
  if (headers.length > 1) errors.push({ path: 'Idempotency-Key', message: 'must be given once' });
  else if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey))
    errors.push({ path: 'Idempotency-Key', message: 'must have 1–255 characters' });
  if (!parsed.success || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { event: parsed.data, idempotencyKey };
}
