import { describeEventStreamContract } from './event-stream-contract.ts';
import { MemoryEventStream } from './memory-event-stream.ts';

describeEventStreamContract('the fake in memory', () => {
  const stream = new MemoryEventStream({ batchSize: 50, retryDelays: [20] });
  return Promise.resolve({ open: () => Promise.resolve(stream), close: () => stream.close() });
});

describe('the in-memory event stream', () => {
  it('can fail a send with its messages lost or kept', async () => {
    const stream = new MemoryEventStream();
    await stream.ensureTopics([{ name: 't', partitions: 1, replication: 1, retentionMs: null, compactionLagMs: null }]);
    const producer = await stream.openProducer();
    const message = { topic: 't', partition: 0, key: '', value: '', headers: {} };
    stream.injectFaults(() => 'lost');
    await expect(producer.send([message])).rejects.toThrow('lost');
    expect(await stream.bounds('t')).toEqual([{ start: 0, end: 0 }]);
    stream.injectFaults(() => 'kept');
    await expect(producer.send([message])).rejects.toThrow('kept');
    expect(await stream.bounds('t')).toEqual([{ start: 0, end: 1 }]);
    stream.injectFaults(() => null);
    await producer.send([message]);
    expect(await stream.bounds('t')).toEqual([{ start: 0, end: 2 }]);
  });
});
