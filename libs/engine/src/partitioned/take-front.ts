import type { Streamed } from '@laurel/ports';
import type { StreamMessage } from '@laurel/event-stream';
import { placeOf, type PartitionCheckpoint } from './checkpoint.ts';
import { PoisonError, decodeStreamed, originOf, type Origin } from './protocol.ts';

/** A message that comes next, and its place in the batch. */
export interface NextMessage {
  readonly message: StreamMessage;
  readonly origin: Origin;
  readonly streamed: Streamed;
  readonly index: number;
}

export interface Front {
  /** Those that come next, in order; what was seen before is left out. */
  readonly next: readonly NextMessage[];
  /** How many messages of the batch are dealt with if all of these are applied. */
  readonly taken: number;
  /** Why the message behind them is not one of them; null: the batch ends there, or `most` are taken. */
  readonly stop: 'missing' | PoisonError | null;
}

/** The messages at the front of a batch that can be applied on top of a checkpoint, at most so many. */
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
