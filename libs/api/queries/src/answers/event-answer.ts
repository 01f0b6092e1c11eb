import type { Recorded, Replayed } from '@laurel/kernel';
import type { AnsweredRequest } from '@laurel/ports';
import { type EventAnswer, jsonAmount } from '@laurel/schemas';
import { composeGrantAnswer } from './grant-answer.ts';

/**
 * The answer to an event (specification, sections 2 and 3). It never fails, because the event is recorded: missing parts are null or
 * empty, and `pending` names them.
 */
export function composeEventAnswer(
  outcome: Recorded | Replayed,
  { metric, idempotencyKey }: AnsweredRequest,
): EventAnswer {
  const total = outcome.sections.users?.total ?? null;
  const { eventId, ...caused } = composeGrantAnswer(outcome, idempotencyKey);
  return { metricId: metric.id, eventId, total: total === null ? null : jsonAmount(total), ...caused };
}
