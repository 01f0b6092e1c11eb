import { ManualClock } from '@laurel/testing/clock';
import type { Kafka, ProducerRecord, RecordMetadata } from 'kafkajs';
import type { OutgoingMessage } from '../event-stream.ts';
import { BatchingProducer } from './batching-producer.ts';

interface Request {
  readonly record: ProducerRecord;
  /** @param partitions that were written; all of the request, if not given */
  answer(partitions?: readonly number[]): void;
  fail(reason: Error): void;
}

describe('BatchingProducer', () => {
  let clock: ManualClock;
  let requests: Request[];
  let connected: number;
  let disconnected: number;
  let producer: BatchingProducer;

  beforeEach(async () => {
    clock = new ManualClock();
    [requests, connected, disconnected] = [[], 0, 0];
    producer = await BatchingProducer.open(kafka(), { clock });
  });

  /** Of kafkajs, what the producer uses. */
  const kafka = (): Kafka =>
    ({
      producer: () => ({
        connect: async () => void connected++,
        disconnect: async () => void disconnected++,
        send: (record: ProducerRecord) =>
          new Promise<RecordMetadata[]>((answer, fail) =>
            requests.push({
              record,
              answer: (written = record.messages.map(({ partition = -1 }) => partition)) =>
                answer(written.map((partition) => ({ topicName: record.topic, partition, errorCode: 0 }))),
              fail,
            }),
          ),
      }),
    }) as unknown as Kafka;
  const message = (value: string, topic = 't', partition = 0): OutgoingMessage => ({
    topic,
    partition,
    key: '',
    value,
    headers: {},
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const values = (index: number): string[] =>
    (requests[index]?.record.messages ?? []).map(({ value }) => String(value));

  it('sends a single call at once, and requires the acknowledgement of all replicas', async () => {
    const sent = producer.send([message('a')]);
    await settle();
    expect(requests[0]?.record).toMatchObject({ topic: 't', acks: -1, compression: 0 });
    requests[0]?.answer();
    await sent;
    expect(clock.timers).toBe(0);
  });

  it("rejects if the brokers' answer lacks a partition that was written", async () => {
    const sent = Promise.allSettled([producer.send([message('a'), message('b', 't', 1), message('c', 't', 2)])]);
    await settle();
    requests[0]?.answer([0, 2]);
    const reason = new Error('nothing was written to topic t, partition 1');
    expect(await sent).toEqual([{ status: 'rejected', reason }]);
    await settle();
    expect(disconnected).toBe(1);
  });

  it('batches what is sent within one turn', async () => {
    const all = [producer.send([message('a')]), producer.send([message('b', 't', 1)])];
    void Promise.resolve().then(() => all.push(producer.send([message('c')])));
    await settle();
    expect(requests.map((_, index) => values(index))).toEqual([['a', 'b', 'c']]);
    requests[0]?.answer();
    await Promise.all(all);
  });

  it('batches what arrives during a request, in order', async () => {
    const first = producer.send([message('a')]);
    await settle();
    const others = [producer.send([message('b'), message('c')]), producer.send([message('d')])];
    await settle();
    expect(requests).toHaveLength(1);
    requests[0]?.answer();
    await first;
    await settle();
    expect(values(1)).toEqual(['b', 'c', 'd']);
    requests[1]?.answer();
    await Promise.all(others);
  });

  it('sends topics independently of each other', async () => {
    void producer.send([message('a', 'one'), message('b', 'two')]);
    await settle();
    expect(requests.map(({ record }) => record.topic)).toEqual(['one', 'two']);
  });

  it('splits requests if the share of a partition would exceed a batch, and resolves after the last', async () => {
    const half = 'x'.repeat(500_000);
    let isSent = false;
    const sent = producer
      .send([message(half), message(half, 't', 1), message(`${half}2`), message('small')])
      .then(() => (isSent = true));
    await settle();
    expect(requests[0]?.record.messages).toHaveLength(2);
    requests[0]?.answer();
    await settle();
    expect(values(1)).toEqual([`${half}2`, 'small']);
    expect(isSent).toBe(false);
    requests[1]?.answer();
    await sent;
  });

  it('splits requests that would exceed what a broker accepts', async () => {
    const long = 'x'.repeat(800_000);
    const sent = producer.send(Array.from({ length: 150 }, (_, partition) => message(long, 't', partition)));
    let asked = 0;
    for (; asked < requests.length || asked === 0; asked++) {
      await settle();
      const bytes = values(asked).reduce((sum, { length }) => sum + length, 0);
      expect(bytes).toBeLessThanOrEqual(8_000_000);
      requests[asked]?.answer();
      await settle();
    }
    await sent;
    expect(asked).toBe(15);
  });

  it('sends a message longer than a batch alone and compressed, in its place', async () => {
    const long = 'x'.repeat(1_000_000);
    const sent = producer.send([message('before'), message(long), message('behind')]);
    for (const index of [0, 1, 2]) {
      await settle();
      requests[index]?.answer();
    }
    await sent;
    expect([values(0), values(1), values(2)]).toEqual([['before'], [long], ['behind']]);
    expect(requests.map(({ record }) => record.compression)).toEqual([0, 1, 0]);
  });

  it('refuses a message that is too long even alone', async () => {
    await expect(producer.send([message('x'.repeat(128_000_001))])).rejects.toThrow(RangeError);
    expect(requests).toEqual([]);
  });

  it('rejects every caller of a failed request, and reconnects', async () => {
    const first = producer.send([message('before')]);
    await settle();
    const sent = Promise.allSettled([producer.send([message('a')]), producer.send([message('b')])]);
    requests[0]?.answer();
    await first;
    await settle();
    requests[1]?.fail(new Error('broken'));
    expect((await sent).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([connected, disconnected]).toEqual([1, 1]);
    const next = producer.send([message('c')]);
    await settle();
    expect(connected).toBe(2);
    requests[2]?.answer();
    await next;
  });

  it('sends nothing more of a call that failed in part, but still sends other calls', async () => {
    const half = 'x'.repeat(500_000);
    const first = producer.send([message('first')]);
    await settle();
    const failing = Promise.allSettled([producer.send([message(half), message(half), message(half)])]);
    const other = producer.send([message('other', 't', 1)]);
    requests[0]?.answer();
    await first;
    await settle();
    expect(values(1)).toEqual([half]);
    requests[1]?.fail(new Error('too large'));
    expect((await failing)[0]?.status).toBe('rejected');
    await settle();
    expect(values(2)).toEqual(['other']);
    requests[2]?.answer();
    await other;
    expect(requests).toHaveLength(3);
  });

  it('rejects after ten seconds without an answer, and then sends later calls', async () => {
    const sent = Promise.allSettled([producer.send([message('a')])]);
    await settle();
    await clock.advance(4_000);
    const later = producer.send([message('b')]);
    await clock.advance(6_001);
    expect((await sent)[0]?.status).toBe('rejected');
    expect(values(1)).toEqual(['b']);
    requests[1]?.answer();
    await later;
  });

  it('gives a large message more time, and the messages behind it as well', async () => {
    const sent = [producer.send([message('x'.repeat(50_000_000))]), producer.send([message('small')])];
    await settle();
    await clock.advance(34_000);
    requests[0]?.answer();
    await sent[0];
    await settle();
    requests[1]?.answer();
    await sent[1];
  });

  it('waits for requests in flight when it is closed, and accepts no more', async () => {
    const sent = producer.send([message('a')]);
    await settle();
    let isClosed = false;
    const closed = producer.close().then(() => (isClosed = true));
    await expect(producer.send([message('b')])).rejects.toThrow('closed');
    expect(isClosed).toBe(false);
    requests[0]?.answer();
    await Promise.all([sent, closed]);
    expect(disconnected).toBe(1);
  });
});
