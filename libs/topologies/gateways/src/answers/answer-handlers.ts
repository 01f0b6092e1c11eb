import type { CallHandler, CallHandlers, OwnerAnswer } from '@laurel/processes';
import { GATHER, VIEW, type GatherQuestion, type Viewed, type ViewQuestion } from './answer-questions.ts';
import type { Gathered } from './gathered.ts';
import { NotTheOwnerError, type Gatherer } from './gatherer.ts';

export interface AnswerHandlersParts {
  readonly gatherer: Pick<Gatherer, 'gather' | 'gatherReady'>;
  readonly view: (question: ViewQuestion) => Promise<Viewed>;
}

/** No caller waits longer than this. */
const LONGEST_LIMIT_MS = 60_000;

/** Handles the calls of ingestion gateways. */
export const answerHandlers = ({ gatherer, view }: AnswerHandlersParts): CallHandlers =>
  new Map<string, CallHandler>([
    [GATHER, (payload) => gather(gatherer, payload as GatherQuestion)],
    [
      VIEW,
      async (payload): Promise<OwnerAnswer<Viewed>> => ({ owned: true, answer: await view(payload as ViewQuestion) }),
    ],
  ]);

async function gather(
  gatherer: AnswerHandlersParts['gatherer'],
  { partition, eventIds, limitMs, ready }: GatherQuestion,
): Promise<OwnerAnswer<readonly Gathered[]>> {
  const withinMs = Math.min(limitMs, LONGEST_LIMIT_MS);
  try {
    const answer = ready
      ? gatherer.gatherReady(partition, eventIds, withinMs)
      : gatherer.gather(partition, eventIds, withinMs);
    return { owned: true, answer: await answer };
  } catch (error) {
    if (error instanceof NotTheOwnerError) return { owned: false };
    throw error;
  }
}
