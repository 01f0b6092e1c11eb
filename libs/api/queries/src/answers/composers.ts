import { userAnswer } from '@laurel/schemas';
import { composeCompletionAnswer } from './completion-answer.ts';
import { composeEventAnswer } from './event-answer.ts';
import { writeEventAnswer } from './event-answer-text.ts';
import { composeGrantAnswer } from './grant-answer.ts';
import { composeRefundAnswer, composeSpendAnswer } from './spend-answer.ts';

/** Compose the answers of the HTTP module of ingestion. */
export const ANSWER_COMPOSERS = {
  composeEventAnswer,
  writeEventAnswer,
  composeUserAnswer: userAnswer,
  composeCompletionAnswer,
  composeGrantAnswer,
  composeSpendAnswer,
  composeRefundAnswer,
};
