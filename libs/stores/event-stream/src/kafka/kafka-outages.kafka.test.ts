import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { RETRY_DELAYS, type PartitionBatch, type StreamConsumer, type StreamProducer } from '../event-stream.ts';
import { systemClock } from '@laurel/testing/clock';
import { startTestBroker } from '@laurel/testing/event-stream';
import { Logger } from '@nestjs/common';
import { KafkaEventStream } from './kafka-event-stream.ts';

Logger.overrideLogger(false);

const SESSION_MS = 3_000;
const PARTITIONS = 3;

/** With LAUREL_KAFKA_BROKERS the broker is not ours to be killed. */
const describeWithOwnBroker = process.env['LAUREL_KAFKA_BROKERS'] ? describe.skip : describe;

describeWithOwnBroker('the adapter on Kafka, when the broker goes away', () => {
  let broker: Awaited<ReturnType<typeof startTestBroker>>;
  let stream: KafkaEventStream;
  let producer: StreamProducer;
  let consumer: StreamConsumer | null = null;
  let topic: string;
  const warnings: string[] = [];

  beforeAll(async () => {
    broker = await startTestBroker();
  });
  afterAll(() => broker.dispose());
  beforeEach(async () => {
    stream = new KafkaEventStream({
      brokers: broker.brokers,
      clientId: 'outages',
      clock: systemClock,
      sessionTimeoutMs: SESSION_MS,
      log: (level, message) => level === 'warn' && warnings.push(message),
    });
    topic = `outage-${randomUUID()}`;
    await stream.ensureTopics([
      { name: topic, partitions: PARTITIONS, replication: 1, retentionMs: null, compactionLagMs: null },
    ]);
    producer = await stream.openProducer();
  });
  afterEach(async () => {
    await consumer?.close();
    await producer.close();
    await stream.close();
  });

  const message = (n: number) => ({ topic, partition: n % PARTITIONS, key: '', value: String(n), headers: {} });
  const consume = async (onBatch: (batch: PartitionBatch) => void): Promise<StreamConsumer> => {
    consumer = await stream.consume(
      { topic, group: topic, from: 'beginning', concurrency: 2 },
      {
        onAssigned: () => Promise.resolve(),
        onBatch: async (batch) => {
          onBatch(batch);
          return (batch.messages.at(-1)?.offset ?? -1) + 1;
        },
      },
    );
    return consumer;
  };

  it('resumes sending and consuming after a kill and restart, in order and without loss', async () => {
    const offsets = Array.from({ length: PARTITIONS }, (): number[] => []);
    const values = new Set<string>();
    const member = await consume(({ partition, messages }) => {
      for (const { offset, value } of messages) {
        offsets[partition]?.push(offset);
        values.add(value);
      }
    });
    const acknowledged: number[] = [];
    let sending = true;
    const load = (async () => {
      for (let n = 0; sending; n++)
        await producer.send([message(n)]).then(
          () => acknowledged.push(n),
          () => undefined,
        );
    })();
    await until(() => values.size > 100);
    await broker.kill();
    // The member cannot know how long it will be; the group gives its partitions away.
    await until(() => member.assigned === null);
    await broker.restart();
    const before = values.size;
    await until(() => values.size > before + 100);
    sending = false;
    await load;
    await until(() => acknowledged.every((n) => values.has(String(n))));
    for (const seen of offsets)
      for (const [index, offset] of seen.entries()) expect(offset).toBeLessThanOrEqual((seen[index - 1] ?? -1) + 1);
    expect(member.assigned).toEqual([0, 1, 2]);
    expect(member.health().trouble).toBeNull();
  });

  it('rejects calls while there is no broker, and works again afterwards', async () => {
    await broker.kill();
    const outcomes = await Promise.allSettled([producer.send([message(0)]), stream.ping(), stream.bounds(topic)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(stream.openProducer()).rejects.toThrow();
    await expect(consume(() => undefined)).rejects.toThrow();
    expect(warnings).toContainEqual(expect.stringContaining('the producer is replaced'));
    await broker.restart();
    await stream.ping();
    await producer.send([message(0)]);
    expect((await stream.bounds(topic))[0]?.end).toBeGreaterThanOrEqual(1);
  });

  it('rejects within its time limits while the broker is frozen, and resumes when it thaws', async () => {
    await producer.send([message(0)]);
    const { pid } = broker;
    if (pid === null) throw new Error('the broker does not run');
    await freeze(pid);
    try {
      const outcomes = await Promise.allSettled([producer.send([message(0)]), stream.ping()]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await producer.send([message(0)]);
    await stream.ping();
  });

  it('resumes a batch that was rejected before the outage, even if a retry fell into it', async () => {
    const tries: number[] = [];
    let isRefusing = true;
    const member = await consume(() => {
      tries.push(performance.now());
      if (isRefusing) throw new Error('not yet');
    });
    await producer.send([message(0)]);
    // From now on the next try is due after the longest delay: kafkajs gives the consumer up before.
    await until(() => tries.length === RETRY_DELAYS.length);
    await broker.kill();
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAYS.at(-1) ?? 0));
    isRefusing = false;
    await broker.restart();
    await until(() => tries.length > RETRY_DELAYS.length && member.assigned !== null);
    await until(() => member.health().partitions.every(({ failure }) => failure === null));
  });

  it('closes a consumer and a producer even without a broker', async () => {
    const member = await consume(() => undefined);
    await until(() => member.assigned !== null);
    const other = await stream.openProducer();
    await broker.kill();
    await Promise.all([member.close(), other.close()]);
    expect(member.assigned).toBeNull();
    await broker.restart();
  });
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not in time: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A thread that is running goes on until the system next looks at it, and could still answer. */
async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const tasks = `/proc/${pid}/task`;
  const isStopped = (task: string) => /\) T /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8'));
  while (!readdirSync(tasks).every(isStopped)) await new Promise((resolve) => setTimeout(resolve, 5));
}
