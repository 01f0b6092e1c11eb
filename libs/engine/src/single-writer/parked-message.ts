import {
  messageAfter,
  newMessage,
  type AnyUserArea,
  type ChainMessage,
  type Step,
  type RecordedUserEvent,
} from '@laurel/kernel';

/**
 * The message of a record that waits for a stopped area. It has no answer parts: the caller has its answer by the time
 * the message is applied.
 * @param before the results from before this process, or from before an earlier stop; null if there are none
 * @param step null if no area before the stopped one has applied the record now
 */
export function parkedMessage(
  record: RecordedUserEvent,
  before: ChainMessage | null,
  step: Step | null,
  areas: readonly AnyUserArea[],
): ChainMessage {
  const message = step === null ? (before ?? newMessage(record)) : messageAfter(step, areas);
  return { ...message, sections: {} };
}
