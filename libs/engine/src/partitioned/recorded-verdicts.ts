import { lacksVerdict, type RecordedVerdicts } from '@laurel/event-store';
import type { NextMessage } from './take-front.ts';

/**
 * The messages, in which a request for points has the verdict that the log has. A request without one is decided by the areas that apply it
 * (ADR 0061). @throws StoreUnavailableError
 */
export async function withVerdicts(
  messages: readonly NextMessage[],
  verdicts: Pick<RecordedVerdicts, 'addedTo'>,
): Promise<readonly NextMessage[]> {
  const undecided = messages.flatMap(({ streamed }) =>
    streamed.kind === 'record' && lacksVerdict(streamed.message.record) ? [streamed.message.record] : [],
  );
  if (undecided.length === 0) return messages;
  const found = new Map((await verdicts.addedTo(undecided)).map((record) => [record.eventId, record]));
  return messages.map((next) => {
    const { streamed } = next;
    const record = streamed.kind === 'record' ? found.get(streamed.message.record.eventId) : undefined;
    if (record === undefined || streamed.kind !== 'record') return next;
    return { ...next, streamed: { ...streamed, message: { ...streamed.message, record } } };
  });
}
