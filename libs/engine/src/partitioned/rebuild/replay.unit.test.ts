import { ManualClock } from '@laurel/testing/clock';
import type { PartitionBatch, StreamMessage } from '@laurel/event-stream';
import { START, type PartitionCheckpoint } from '../checkpoint.ts';
import type { PartitionWorker } from '../partition-worker.ts';
import { headersOf } from '../protocol.ts';
import { ChainReplay } from './replay.ts';

const message = (offset: number, headers: StreamMessage['headers']): StreamMessage => ({
  offset,
  key: '',
  value: '',
  headers,
});

describe('the replay of a rebuild', () => {
  let applied: number[];
  let checkpoint: PartitionCheckpoint | null;
  let replay: ChainReplay;

  beforeEach(() => {
    [applied, checkpoint] = [[], null];
    replay = new ChainReplay({
      partitions: 1,
      live: { read: () => Promise.resolve({ ...START, received: new Map([[0, 2]]) }) },
      clock: new ManualClock(),
      openWorker: () =>
        ({
          get checkpoint() {
            return checkpoint;
          },
          onBatch: ({ messages }: PartitionBatch) => {
            applied.push(...messages.map(({ offset }) => offset));
            checkpoint = { ...START, received: new Map([[0, applied.length]]) };
            return Promise.resolve((applied.at(-1) ?? -1) + 1);
          },
        }) as unknown as PartitionWorker,
    });
  });

  it('ends where the live service stands, even if the next message is malformed', async () => {
    const messages = [1, 2].map((sequence) => message(sequence - 1, headersOf({ source: 0, sequence })));
    const batch = { topic: 't', partition: 0, messages: [...messages, message(2, {})], end: 3 };
    expect(await replay.onBatch(batch)).toBe(2);
    expect(applied).toEqual([0, 1]);
    expect(await replay.hasCaughtUp()).toBe(true);
  });
});
