import type { Streamed } from '@laurel/ports';
import type { StreamMessage } from '@laurel/event-stream';
import { placeOf, type PartitionCheckpoint } from './checkpoint.ts';
import { PoisonError, decodeStreamed, originOf, type Origin } from './protocol.ts';

/** The next message to apply, and its index in the batch. */
export interface NextMessage {
  readonly message: StreamMessage;
  readonly origin: Origin;
  readonly streamed: Streamed;
  readonly index: number;
}

export interface Front {
  /** The next messages, in order, without those already received. */
  readonly next: readonly NextMessage[];
  /** Number of messages of the batch that are processed once all of `next` are applied. */
  readonly taken: number;
  /** Why `next` ends before the batch does; null if the batch ends there or `most` messages are taken. */
  readonly stop: 'missing' | PoisonError | null;
}

/** The leading messages of a batch that can be applied on top of a checkpoint, at most `most`. */
export function takeFront({ received }: PartitionCheckpoint, messages: readonly StreamMessage[], most: number): Front {
  const next: NextMessage[] = [];
  const reached = new Map(received);
  for (const [index, message] of messages.entries()) {
    if (next.length === most) return { next, taken: index, stop: null };
    try {
      const origin = originOf(message);
      const place = placeOf(origin, reached);
      if (place === 'missing') return { next, taken: index, stop: 'missing' };
      if (place === 'seen') continue;
      next.push({ message, origin, streamed: decodeStreamed(message), index });
      reached.set(origin.source, origin.sequence);
    } catch (error) {
      if (error instanceof PoisonError) return { next, taken: index, stop: error };
      throw error;
    }
  }
  return { next, taken: messages.length, stop: null };
}
