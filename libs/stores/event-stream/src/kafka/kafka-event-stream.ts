import type { Admin, Kafka } from 'kafkajs';
import type {
  EventStream,
  PartitionBounds,
  PartitionHandler,
  StreamConsumer,
  StreamProducer,
  Subscription,
  TopicCopies,
  TopicRetention,
  TopicSpecification,
} from '../event-stream.ts';
import { within } from './deadline.ts';
import { BatchingProducer } from './batching-producer.ts';
import { startConsumer } from './start-consumer.ts';
import { createKafkaClient, type KafkaSettings } from './kafka-client.ts';
import type { OffsetRequests } from './group-member.ts';
import { copiesOf, ensureTopics, remakeTopic, retentionOf, untilLed } from './topics.ts';

const PING_WITHIN_MS = 5_000;
const SESSION_TIMEOUT_MS = 10_000;
const ASKED_WITHIN_MS = 20_000;

/** The event stream on Kafka, by kafkajs. Connects at the first call. */
export class KafkaEventStream implements EventStream {
  readonly #kafka: Kafka;
  readonly #settings: KafkaSettings;
  #admin: Promise<Admin> | null = null;
  readonly #offsets: OffsetRequests = {
    ends: async (topic) => byPartition(await this.#askOffsets(topic, (admin) => admin.fetchTopicOffsets(topic))),
    at: async (topic, instant) =>
      byPartition(await this.#askOffsets(topic, (admin) => admin.fetchTopicOffsetsByTimestamp(topic, instant))),
    ofGroup: async (group, topic) =>
      this.#askOffsets(topic, async (admin) => {
        const kept = await admin.fetchTopicOffsets(topic);
        const [recorded] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
        const positions = byPartition(recorded?.partitions ?? []);
        return byPartition(kept.map(({ partition, low }) => ({ partition, offset: low }))).map((low, partition) =>
          Math.max(low, positions[partition] ?? low),
        );
      }),
  };

  constructor(settings: KafkaSettings) {
    this.#settings = settings;
    this.#kafka = createKafkaClient(settings);
  }

  async remakeTopic(topic: TopicSpecification): Promise<void> {
    await this.#ask('a topic could not be made anew', 60_000, (admin) =>
      remakeTopic(admin, topic, this.#settings.clock),
    );
  }

  async ensureTopics(topics: readonly TopicSpecification[]): Promise<void> {
    await this.#ask('topics could not be made', 60_000, (admin) => ensureTopics(admin, topics, this.#settings.clock));
  }

  async openProducer(): Promise<StreamProducer> {
    return BatchingProducer.open(this.#kafka, this.#settings);
  }

  async consume(subscription: Subscription, handler: PartitionHandler): Promise<StreamConsumer> {
    return startConsumer({
      kafka: this.#kafka,
      clock: this.#settings.clock,
      subscription,
      sessionTimeoutMs: this.#settings.sessionTimeoutMs ?? SESSION_TIMEOUT_MS,
      log: this.#settings.log,
      offsets: this.#offsets,
      handler,
      controllers: this.#settings.controllers ?? null,
    });
  }

  async bounds(topic: string): Promise<readonly PartitionBounds[]> {
    const offsets = await this.#askOffsets(topic, (admin) => admin.fetchTopicOffsets(topic));
    return inOrder(offsets).map(({ low, high }) => ({ start: Number(low), end: Number(high) }));
  }

  async copies(topics: readonly string[]): Promise<readonly TopicCopies[]> {
    return this.#ask('the copies of topics', ASKED_WITHIN_MS, (admin) => copiesOf(admin, topics));
  }

  async retention(topic: string): Promise<TopicRetention> {
    return this.#ask(`the settings of ${topic}`, ASKED_WITHIN_MS, (admin) => retentionOf(admin, topic));
  }

  async ping(group?: string): Promise<void> {
    if (group === undefined) await this.#ask('the brokers', PING_WITHIN_MS, (admin) => admin.describeCluster());
    else await this.#ask(`the group ${group}`, PING_WITHIN_MS, (admin) => admin.describeGroups([group]));
  }

  async close(): Promise<void> {
    const admin = this.#admin;
    this.#admin = null;
    await (await admin?.catch(() => null))?.disconnect();
  }

  async #askOffsets<T>(topic: string, question: (admin: Admin) => Promise<T>): Promise<T> {
    const { clock } = this.#settings;
    return this.#ask(`the offsets of ${topic}`, ASKED_WITHIN_MS, (admin) => untilLed(clock, () => question(admin)));
  }

  /** Uses a new connection after a failure, because kafkajs keeps using a dead one. */
  async #ask<T>(what: string, limitMs: number, question: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = (this.#admin ??= this.#connect());
    try {
      return await within(
        this.#settings.clock,
        limitMs,
        `no answer from the brokers within ${limitMs} ms: ${what}`,
        admin.then(question),
      );
    } catch (error) {
      if (this.#admin === admin) this.#admin = null;
      void admin.then((connected) => connected.disconnect()).catch(() => undefined);
      throw error;
    }
  }

  async #connect(): Promise<Admin> {
    const admin = this.#kafka.admin();
    await admin.connect();
    return admin;
  }
}

interface OfPartition {
  readonly partition: number;
}

const inOrder = <T extends OfPartition>(offsets: readonly T[]): readonly T[] =>
  [...offsets].sort((a, b) => a.partition - b.partition);

const byPartition = (offsets: readonly (OfPartition & { readonly offset: string })[]): readonly number[] =>
  inOrder(offsets).map(({ offset }) => Number(offset));
