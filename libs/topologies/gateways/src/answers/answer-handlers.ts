import type { CallHandler, CallHandlers, OwnerAnswer } from '@laurel/processes';
import { GATHER, VIEW, type AnswerRequest, type Viewed, type ViewCall } from './answer-requests.ts';
import type { Gathered } from './gathered.ts';
import { NotTheOwnerError, type Correlator } from './correlator.ts';

interface AnswerHandlersDependencies {
  readonly correlator: Pick<Correlator, 'gather' | 'gatherReady'>;
  readonly view: (request: ViewCall) => Promise<Viewed>;
}

/** No caller waits longer than this. */
const LONGEST_LIMIT_MS = 60_000;

/** Handles the calls of ingestion gateways. */
export const answerHandlers = ({ correlator, view }: AnswerHandlersDependencies): CallHandlers =>
  new Map<string, CallHandler>([
    [GATHER, (payload) => gather(correlator, payload as AnswerRequest)],
    [VIEW, async (payload): Promise<OwnerAnswer<Viewed>> => ({ owned: true, answer: await view(payload as ViewCall) })],
  ]);

async function gather(
  correlator: AnswerHandlersDependencies['correlator'],
  { partition, eventIds, limitMs, ready }: AnswerRequest,
): Promise<OwnerAnswer<readonly Gathered[]>> {
  const withinMs = Math.min(limitMs, LONGEST_LIMIT_MS);
  try {
    const answer = ready
      ? correlator.gatherReady(partition, eventIds, withinMs)
      : correlator.gather(partition, eventIds, withinMs);
    return { owned: true, answer: await answer };
  } catch (error) {
    if (error instanceof NotTheOwnerError) return { owned: false };
    throw error;
  }
}
