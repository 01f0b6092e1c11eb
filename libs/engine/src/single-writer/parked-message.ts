import {
  messageAfter,
  newMessage,
  type AnyUserArea,
  type ChainMessage,
  type Step,
  type RecordedUserEvent,
} from '@laurel/kernel';

/**
 * A record as it waits for an area that has stopped. It brings no answer parts: whoever waited for the answer has it by then.
 * @param before what came of it before this process, or before an earlier stop; null: nothing
 * @param step null: no area before the one that has stopped has applied it now
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
