import type { OutgoingMessage } from '@laurel/event-stream';
import { encodeStreamed, headersOf } from './protocol.ts';
import type { Routed } from './routes.ts';

export interface NumberedOutputs {
  readonly messages: readonly OutgoingMessage[];
  /** The last sequence assigned for each target partition, including these outputs. */
  readonly sent: ReadonlyMap<number, number>;
}

/**
 * Numbers each output: without gaps per target partition. Repeating the work gives the same numbers, in whatever
 * batches.
 */
export function numberOutputs(
  topic: string,
  { source, sent }: { readonly source: number; readonly sent: NumberedOutputs['sent'] },
  outputs: readonly Routed[],
): NumberedOutputs {
  const reached = new Map(sent);
  const encoded = new Map<unknown, string>();
  const messages = outputs.map(({ partition, key, streamed }): OutgoingMessage => {
    const sequence = (reached.get(partition) ?? 0) + 1;
    reached.set(partition, sequence);
    const value = encoded.get(streamed) ?? encodeStreamed(streamed);
    encoded.set(streamed, value);
    return { topic, partition, key, value, headers: headersOf({ source, sequence }) };
  });
  return { messages, sent: reached };
}
