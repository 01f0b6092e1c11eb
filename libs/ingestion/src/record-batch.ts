import {
  type BatchAnswer,
  batchObject,
  type BatchResult,
  createSuggest,
  invalidRequest,
  mistakenFields,
  type Outcome,
  ProblemError,
  type RecordMetricEvent,
  type Refused,
  type Subject,
} from '@laurel/contracts';
import { jsonBody, principalOf } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { BATCH_SIZE, itemsOf, type ReadItem, readItemsInTurns } from './batch.ts';
import { recordMetricEvent } from './commands.ts';
import type { IngestionPorts } from './ports.ts';
import { isTurnedAway, refusal, refusalProblem } from './refusals.ts';

type ValidItem = Extract<ReadItem, { type: 'valid' }>;

/**
 * `POST /admin/v1/metrics/events`: applied in order; what is wrong with an item is its own result, the others go in
 * (specification, section 9). If the intake turned all of them away the whole request is refused: it can be sent again.
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
  const read = await readItemsInTurns(items, context);
  const valid = read.filter((item) => item.type === 'valid');
  const outcomes =
    valid.length === 0
      ? []
      : await ports.intake.submit(await commandsOf(ports, account, valid), { receiptOnly: !full });
  for (const item of read) if (item.type === 'invalid') ports.counts.refuse(item.code);
  for (const outcome of outcomes) ports.counts.count(outcome);
  refuseIfAllTurnedAway(outcomes, valid);
  const results = read.map(invalidResult);
  valid.forEach((item, place) => {
    results[item.index] = validResult(ports, item, outcomes[place], full);
  });
  return {
    accepted: outcomes.filter(({ kind }) => kind === 'recorded').length,
    results: results.filter((result) => result !== null),
  };
}

async function commandsOf(
  { directory }: IngestionPorts,
  account: string,
  items: readonly ValidItem[],
): Promise<readonly RecordMetricEvent[]> {
  const subjects = await directory.assignAll(account, [...new Set(items.map(({ event }) => event.userId))]);
  return items.map(({ event }) => recordMetricEvent(event, subjects.get(event.userId) as Subject));
}

function readItems(body: object): readonly unknown[] {
  const items = itemsOf(body);
  const mistaken = Array.isArray(body) ? [] : mistakenFields(batchObject, body);
  if (mistaken.length > 0) throw new ProblemError(invalidRequest(mistaken));
  if (items === null) throw invalid('events', 'events' in body ? 'must be an array' : 'is required');
  if (items.length > BATCH_SIZE) throw invalid('events', `must have at most ${BATCH_SIZE} items`);
  return items;
}

function wantsFullResults({ results }: Readonly<Record<string, unknown>>): boolean {
  if (results !== undefined && results !== 'full') throw invalid('results', 'must be full, or absent');
  return results === 'full';
}

function invalid(path: string, message: string): ProblemError {
  return new ProblemError(invalidRequest([{ path, message }]));
}

function refuseIfAllTurnedAway(outcomes: readonly Outcome[], [item]: readonly ValidItem[]): void {
  const [first] = outcomes;
  const turnedAway = outcomes.every((outcome) => outcome.kind === 'refused' && isTurnedAway(outcome));
  if (first?.kind === 'refused' && turnedAway) throw refusal(first, item?.event.userId ?? '');
}

function invalidResult(item: ReadItem): BatchResult | null {
  if (item.type === 'valid') return null;
  const { index, status, error, code } = item;
  return { index, status, error, code };
}

function validResult(
  ports: IngestionPorts,
  { index, metric, event }: ValidItem,
  outcome: Outcome | undefined,
  full: boolean,
): BatchResult {
  if (outcome === undefined) throw new Error('the intake answered with fewer outcomes than commands');
  if (outcome.kind === 'refused') return { index, ...refusedResult(outcome, event.userId) };
  const { idempotencyKey } = event;
  const body = full ? { body: ports.composeEventAnswer(outcome, { metric, idempotencyKey }) } : {};
  return { index, status: outcome.kind === 'recorded' ? 201 : 202, eventId: outcome.eventId, ...body };
}

/** Others of the batch are recorded, so one that the store rejects must not turn the whole answer into an error. */
function refusedResult(refused: Refused, userId: string): Omit<BatchResult, 'index'> {
  if (refused.reason === 'rejected')
    return { status: 500, error: 'Something went wrong on our side.', code: 'internal' };
  const { status, error, code } = refusalProblem(refused, userId);
  return {
    status,
    error,
    code,
    ...(refused.eventId !== null && refused.reason === 'unknown' && { eventId: refused.eventId }),
  };
}
