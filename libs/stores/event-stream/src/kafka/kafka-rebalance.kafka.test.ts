import { randomUUID } from 'node:crypto';
import { systemClock } from '@laurel/testing/clock';
import { isKafkaRequest, startProxiedTestBroker } from '@laurel/testing/event-stream';
import { Logger } from '@nestjs/common';
import type { StreamConsumer } from '../event-stream.ts';
import { KafkaEventStream } from './kafka-event-stream.ts';

Logger.overrideLogger(false);

const SESSION_MS = 6_000;
/** kafkajs waits 5 s for an answer. */
const BEYOND_THE_LIMIT_MS = 6_000;
const PARTITIONS = 4;

/** With LAUREL_KAFKA_BROKERS the broker has no listener for a proxy. */
const describeWithOwnBroker = process.env['LAUREL_KAFKA_BROKERS'] ? describe.skip : describe;

describeWithOwnBroker('a member of a group on Kafka, in a rebalance', () => {
  let world: Awaited<ReturnType<typeof startProxiedTestBroker>>;
  let direct: KafkaEventStream;
  let proxied: KafkaEventStream;
  let topic: string;
  let values: string[];
  let warnings: string[];
  let consumers: StreamConsumer[];
  let batchMs: number;

  beforeAll(async () => {
    world = await startProxiedTestBroker();
  });
  afterAll(async () => {
    await world.proxy.close();
    await world.broker.dispose();
  });
  beforeEach(async () => {
    [values, warnings, consumers, batchMs] = [[], [], [], 0];
    direct = streamVia(world.broker.brokers);
    proxied = streamVia([world.proxy.address]);
    topic = `late-${randomUUID()}`;
    await direct.ensureTopics([
      { name: topic, partitions: PARTITIONS, replication: 1, retentionMs: null, compactionLagMs: null },
    ]);
  });
  afterEach(async () => {
    for (const consumer of consumers) await consumer.close();
    await Promise.all([direct.close(), proxied.close()]);
  });

  const streamVia = (brokers: readonly string[]): KafkaEventStream =>
    new KafkaEventStream({
      brokers,
      clientId: 'late',
      clock: systemClock,
      sessionTimeoutMs: SESSION_MS,
      log: (level, message) => level === 'warn' && warnings.push(message),
    });
  const join = async (stream: KafkaEventStream): Promise<StreamConsumer> => {
    const consumer = await stream.consume(
      { topic, group: topic, from: 'beginning', concurrency: 2 },
      {
        onAssigned: () => Promise.resolve(),
        onBatch: async ({ messages }) => {
          values.push(...messages.map(({ value }) => value));
          await new Promise((resolve) => setTimeout(resolve, batchMs));
          return (messages.at(-1)?.offset ?? -1) + 1;
        },
      },
    );
    consumers.push(consumer);
    await until(() => consumer.assigned !== null);
    return consumer;
  };
  const sendToEachPartition = async (value: string): Promise<void> => {
    const producer = await direct.openProducer();
    await producer.send(
      Array.from({ length: PARTITIONS }, (_, partition) => ({ topic, partition, key: '', value, headers: {} })),
    );
    await producer.close();
  };
  const shares = (): readonly number[] => consumers.flatMap(({ assigned }) => assigned ?? []).sort();

  it.each(['JoinGroup', 'SyncGroup'] as const)('consumes its partitions even if %s is answered late', async (name) => {
    await join(proxied);
    const held = world.proxy.holdAnswers(isKafkaRequest(name), BEYOND_THE_LIMIT_MS);
    await join(direct);
    await held;
    await sendToEachPartition('late');
    await until(() => values.length >= PARTITIONS && shares().join() === '0,1,2,3');
    expect(values).toContain('late');
  });

  it('consumes its partitions even if the answer to SyncGroup is lost with the connection', async () => {
    await join(proxied);
    const held = world.proxy.holdAnswers(isKafkaRequest('SyncGroup'), BEYOND_THE_LIMIT_MS);
    await join(direct);
    await held;
    // The broker has got the request, or will in a moment.
    await new Promise((resolve) => setTimeout(resolve, 500));
    world.proxy.cut();
    await sendToEachPartition('lost');
    await until(() => values.length >= PARTITIONS && shares().join() === '0,1,2,3');
    expect(values).toContain('lost');
  });

  it('keeps its partitions until it has finished a batch longer than the session', async () => {
    const member = await join(direct);
    batchMs = 2 * SESSION_MS;
    await sendToEachPartition('slow');
    await until(() => values.length > 0);
    batchMs = 0;
    const joining = join(direct);
    await new Promise((resolve) => setTimeout(resolve, 1.5 * SESSION_MS));
    expect(member.assigned).toEqual([0, 1, 2, 3]);
    await joining;
    await until(() => values.length >= PARTITIONS && shares().join() === '0,1,2,3');
    expect(warnings).toEqual([]);
    expect(values).toEqual(Array(PARTITIONS).fill('slow'));
  });
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not in time: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
