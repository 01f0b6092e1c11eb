import {
  type BatchAnswer,
  batchRequest,
  createSuggest,
  invalidRequest,
  mistakenFields,
  mistakenParameters,
  ProblemError,
} from '@laurel/schemas';
import { invalidField, jsonBody, principalOf } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { BATCH_SIZE, itemsOf, readItem, readItemsInSteps } from './batch.ts';
import { EventChunk } from './event-chunk.ts';
import type { IngestionPorts } from './ports.ts';
import { isTurnedAway, refusal } from './refusals.ts';

/**
 * `POST /admin/v1/metrics/events`: applies the items in order. An invalid item gets its own result, and the others are
 * recorded (specification, section 9). If the intake refuses all of them, the whole request is refused and can be sent
 * again.
 */
export async function recordBatch(ports: IngestionPorts, request: FastifyRequest): Promise<BatchAnswer> {
  const { account, by } = principalOf(request);
  const items = readItems(jsonBody(request, 'object or array'));
  const full = wantsFullResults(request.query as Readonly<Record<string, unknown>>);
  const context = {
    account,
    by,
    configuration: ports.configuration(account).current,
    now: ports.clock.now(),
    suggest: createSuggest(),
  };
  const read = await readItemsInSteps(items, (item, index) => readItem(item, index, context));
  const chunk = await EventChunk.of(ports, read, { receiptOnly: !full });
  await chunk.submit();
  chunk.count();
  refuseIfAllTurnedAway(chunk);
  return { accepted: chunk.recorded, results: chunk.results() };
}

function readItems(body: object): readonly unknown[] {
  const items = itemsOf(body);
  const mistaken = Array.isArray(body) ? [] : mistakenFields(batchRequest, { ...body, events: [] });
  if (mistaken.length > 0) throw new ProblemError(invalidRequest(mistaken));
  if (items === null) throw invalidField('events', 'events' in body ? 'must be an array' : 'is required');
  if (items.length > BATCH_SIZE) throw invalidField('events', `must have at most ${BATCH_SIZE} items`);
  return items;
}

export function wantsFullResults(query: Readonly<Record<string, unknown>>): boolean {
  const { results } = query;
  const errors = mistakenParameters(['results'], query);
  if (results !== undefined && results !== 'full') errors.push({ path: 'results', message: 'must be full, or absent' });
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return results === 'full';
}

function refuseIfAllTurnedAway({ outcomes, firstUser }: EventChunk): void {
  const [first] = outcomes;
  const turnedAway = outcomes.every((outcome) => outcome.kind === 'refused' && isTurnedAway(outcome));
  if (first?.kind === 'refused' && turnedAway) throw refusal(first, firstUser);
}
