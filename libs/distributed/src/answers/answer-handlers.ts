import type { CallHandler, CallHandlers } from '../internal-calls/index.ts';
import type { OwnerAnswer } from '../owners/index.ts';
import { GATHER, VIEW, type GatherQuestion, type Viewed, type ViewQuestion } from './answer-questions.ts';
import type { Gathered } from './gathered.ts';
import { NotTheOwnerError, type Gatherer } from './gatherer.ts';

export interface AnswerHandlersParts {
  readonly gatherer: Pick<Gatherer, 'gather' | 'owns'>;
  readonly view: (question: ViewQuestion) => Promise<Viewed>;
}

/** No caller waits longer than this. */
const LONGEST_LIMIT_MS = 60_000;

/** What the ingestion gateways ask a query gateway. */
export const answerHandlers = ({ gatherer, view }: AnswerHandlersParts): CallHandlers =>
  new Map<string, CallHandler>([
    [GATHER, (payload) => gather(gatherer, payload as GatherQuestion)],
    [
      VIEW,
      async (payload): Promise<OwnerAnswer<Viewed>> => ({ owned: true, answer: await view(payload as ViewQuestion) }),
    ],
  ]);

async function gather(
  gatherer: Pick<Gatherer, 'gather'>,
  { partition, eventIds, limitMs }: GatherQuestion,
): Promise<OwnerAnswer<readonly Gathered[]>> {
  try {
    return { owned: true, answer: await gatherer.gather(partition, eventIds, Math.min(limitMs, LONGEST_LIMIT_MS)) };
  } catch (error) {
    if (error instanceof NotTheOwnerError) return { owned: false };
    throw error;
  }
}
