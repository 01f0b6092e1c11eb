import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@laurel/testing/clock';
import { findOrStartTestBroker } from '@laurel/testing/event-stream';
import { Controller, Inject, Logger, Module, type INestMicroservice, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { Consumer } from 'kafkajs';
import { PARTITION_HANDLER, type PartitionBatch, type PartitionHandler, type StreamConsumer } from '../event-stream.ts';
import { createKafkaClient } from './kafka-client.ts';
import { KafkaBatchStrategy } from './kafka-batch-strategy.ts';
import { KafkaEventStream } from './kafka-event-stream.ts';

Logger.overrideLogger(false);

const TOPIC = `strategy-${randomUUID()}`;
const PARTITIONS = 4;
const SLOW_PARTITION = 0;
const values: string[] = [];
let refusals = 1;

@Controller()
class Lessons {
  @EventPattern<string>(TOPIC)
  async onBatch(@Payload() { partition, messages }: PartitionBatch): Promise<number> {
    if (partition === SLOW_PARTITION) await new Promise((resolve) => setTimeout(resolve, 500));
    if (refusals-- > 0) throw new Error('not yet');
    values.push(...messages.map(({ value }) => value));
    return (messages.at(-1)?.offset ?? -1) + 1;
  }
}

@Module({ controllers: [Lessons] })
class LessonsModule {}

@Controller()
class Handed {
  readonly #handler: PartitionHandler;

  constructor(@Inject(PARTITION_HANDLER) handler: PartitionHandler) {
    this.#handler = handler;
  }

  @EventPattern([`other-${TOPIC}`, TOPIC])
  onBatch(@Payload() batch: PartitionBatch): Promise<number> {
    return this.#handler.onBatch(batch);
  }
}

describe('the batch strategy for Nest microservices', () => {
  let stream: KafkaEventStream;
  let strategy: KafkaBatchStrategy;
  let microservice: INestMicroservice | null = null;
  let brokers: readonly string[];

  beforeAll(async () => {
    brokers = await findOrStartTestBroker();
    stream = new KafkaEventStream({ brokers, clientId: 'strategy', clock: systemClock });
    await stream.ensureTopics([
      { name: TOPIC, partitions: PARTITIONS, replication: 1, retentionMs: null, compactionLagMs: null },
    ]);
    const never = (): never => {
      throw new Error('not asked for');
    };
    strategy = new KafkaBatchStrategy({
      kafka: createKafkaClient({ brokers, clientId: 'strategy', clock: systemClock }),
      clock: systemClock,
      subscription: { topic: TOPIC, group: TOPIC, from: 'beginning', concurrency: 2 },
      sessionTimeoutMs: 6_000,
      log: undefined,
      offsets: {
        ends: async (topic) => (await stream.bounds(topic)).map(({ end }) => end),
        at: never,
        ofGroup: () => Promise.resolve([0, 0, 0, 0]),
      },
      onAssigned: () => Promise.resolve(),
    });
    microservice = await NestFactory.createMicroservice(LessonsModule, { strategy, abortOnError: false });
    await microservice.listen();
  });
  afterAll(async () => {
    await microservice?.close();
    await stream.close();
  });

  it("passes batches to a controller's handler, again if it throws", async () => {
    const producer = await stream.openProducer();
    await producer.send([message(1, 'a'), message(1, 'b')]);
    while (values.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(values).toEqual(['a', 'b']);
    expect(refusals).toBe(-1);
    await producer.close();
  });

  describe('of a process with controllers', () => {
    const subscription = () => ({ topic: TOPIC, group: randomUUID(), from: 'beginning', concurrency: 2 }) as const;
    const processWith = (controllers: readonly Type[]) =>
      new KafkaEventStream({ brokers, clientId: 'process', clock: systemClock, controllers });
    const nothing: PartitionHandler = {
      onAssigned: () => Promise.resolve(),
      onBatch: ({ end }) => Promise.resolve(end),
    };

    it('refuses to consume a topic without a handler', async () => {
      const consumed = processWith([]).consume(subscription(), nothing);
      await expect(consumed).rejects.toThrow(`no controller has a handler for the topic ${TOPIC}`);
    });

    it("passes batches to the consumer's handler, whose errors it reports unchanged", async () => {
      const producer = await stream.openProducer();
      await producer.send([message(2, 'c')]);
      await producer.close();
      let taken: string[] = [];
      let isBroken = true;
      const consumer = await processWith([Handed]).consume(subscription(), {
        ...nothing,
        onBatch: ({ partition, messages, end }) => {
          if (partition === 2 && isBroken) return Promise.reject(new Error('no space left'));
          taken = [...taken, ...messages.map(({ value }) => value)];
          return Promise.resolve(end);
        },
      });
      while (failuresOf(consumer).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(failuresOf(consumer)).toEqual([new Error('no space left')]);
      isBroken = false;
      while (!taken.includes('c')) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(failuresOf(consumer)).toEqual([]);
      await consumer.close();
    });
  });

  // Heartbeats are a second apart and go out between polls: so this counts polls a second, however slow the machine is.
  it('polls at most three times between two heartbeats if there is nothing to do', async () => {
    const consumer = strategy.unwrap<Consumer>();
    const polls = [0];
    const stops = [
      consumer.on(consumer.events.FETCH_START, () => polls.push((polls.pop() ?? 0) + 1)),
      consumer.on(consumer.events.HEARTBEAT, () => polls.push(0)),
    ];
    while (polls.length <= 5) await new Promise((resolve) => setTimeout(resolve, 50));
    for (const stop of stops) stop();
    expect(Math.max(...polls)).toBeLessThanOrEqual(3);
  });

  // A broker gives such a message only as the first of an answer; kafkajs asks for the partitions in random order.
  it('delivers a message longer than a fetch, even while another partition always has messages', async () => {
    const producer = await stream.openProducer();
    // More than a fetch also when it is compressed.
    const long = `long ${noise(3_000_000)}`;
    const crowd = Array.from({ length: 400 }, (_, n) => message(SLOW_PARTITION, `${n} ${noise(100_000)}`));
    await producer.send(crowd);
    await producer.send([message(3, long)]);
    while (!values.includes(long)) await new Promise((resolve) => setTimeout(resolve, 50));
    // It did not come through because there was nothing else any more.
    expect(values.filter((value) => value !== long).length).toBeLessThan(crowd.length);
    await producer.close();
  });
});

const failuresOf = (consumer: StreamConsumer): readonly unknown[] =>
  consumer.health().partitions.flatMap(({ failure }) => (failure ? [failure.error] : []));
const noise = (length: number): string => randomBytes(length * 0.75).toString('base64');
const message = (partition: number, value: string) => ({ topic: TOPIC, partition, key: '', value, headers: {} });
