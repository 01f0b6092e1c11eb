import { groupBy } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { CompressionTypes, type Kafka, type PartitionerArgs, type Producer, type RecordMetadata } from 'kafkajs';
import {
  LONGEST_MESSAGE,
  type OutgoingMessage,
  type SentMessage,
  type StreamProducer,
  type Tombstone,
} from '../event-stream.ts';
import { within } from './deadline.ts';
import type { KafkaSettings, StreamLog } from './kafka-client.ts';
import { SendQueue, type EncodedMessage, type SendRequest, type SizedMessage } from './send-queue.ts';

const ALL_IN_SYNC_REPLICAS = -1;

type ProducerSettings = Pick<KafkaSettings, 'clock' | 'log'>;

/**
 * Combines the calls of one event loop tick, or those during the previous request to the topic, into one request. Under load this divides the
 * cost by the number of callers, and a single caller never waits for others.
 */
export class BatchingProducer implements StreamProducer {
  readonly #kafka: Kafka;
  readonly #clock: Clock;
  readonly #log: StreamLog | undefined;
  readonly #lanes = new Map<string, SendQueue>();
  #producer: Promise<Producer> | null = null;
  #closed = false;

  static async open(kafka: Kafka, settings: ProducerSettings): Promise<BatchingProducer> {
    const producer = new BatchingProducer(kafka, settings);
    await producer.#connected();
    return producer;
  }

  private constructor(kafka: Kafka, { clock, log }: ProducerSettings) {
    this.#kafka = kafka;
    this.#clock = clock;
    this.#log = log;
  }

  async send(messages: readonly OutgoingMessage[]): Promise<void> {
    await this.#sendAll(messages);
  }

  async sendTombstones(tombstones: readonly Tombstone[]): Promise<void> {
    await this.#sendAll(tombstones);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#lanes.values()].map((queue) => queue.idle()));
    await this.#producer?.then((producer) => producer.disconnect()).catch(() => undefined);
  }

  async #sendAll(messages: readonly SentMessage[]): Promise<void> {
    if (this.#closed) throw new Error('this producer is closed');
    const sized = messages.map(encoded);
    const sent = [...groupBy(sized, ({ message }) => message.topic)].map(([topic, ofTopic]) =>
      this.#queueOf(topic).send(ofTopic),
    );
    // Waits for all topics, so that the caller does not continue while a part of the call is in flight.
    const failed = (await Promise.allSettled(sent)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  #queueOf(topic: string): SendQueue {
    const found = this.#lanes.get(topic);
    if (found) return found;
    const queue = new SendQueue(topic, this.#clock, (request) => this.#request(topic, request));
    this.#lanes.set(topic, queue);
    return queue;
  }

  async #request(topic: string, { messages, isLarge, limitMs }: SendRequest): Promise<void> {
    const producer = this.#connected();
    try {
      const sending = producer.then((connected) =>
        connected.send({
          topic,
          acks: ALL_IN_SYNC_REPLICAS,
          compression: isLarge ? CompressionTypes.GZIP : CompressionTypes.None,
          messages: [...messages],
        }),
      );
      assertWritten(topic, messages, await within(this.#clock, limitMs, `no answer from topic ${topic}`, sending));
    } catch (error) {
      this.#replace(producer, error);
      throw error;
    }
  }

  #connected(): Promise<Producer> {
    return (this.#producer ??= this.#connect());
  }

  /** Replaces the producer, because kafkajs keeps using a dead connection. */
  #replace(failed: Promise<Producer>, cause: unknown): void {
    if (this.#producer !== failed || this.#closed) return;
    this.#producer = null;
    this.#log?.('warn', `the producer is replaced: ${cause instanceof Error ? cause.message : String(cause)}`, {});
    void failed.then((producer) => producer.disconnect()).catch(() => undefined);
  }

  async #connect(): Promise<Producer> {
    // kafkajs's own partitioner would print a warning.
    const producer = this.#kafka.producer({ allowAutoTopicCreation: false, createPartitioner: () => partitionGiven });
    await producer.connect();
    return producer;
  }
}

/**
 * On a retry, kafkajs skips a broker that has already answered. If that broker has become the leader of another partition meanwhile, the
 * messages of that partition are never sent, and kafkajs resolves nevertheless.
 */
function assertWritten(topic: string, messages: readonly EncodedMessage[], written: readonly RecordMetadata[]): void {
  const answered = new Set(written.map(({ partition }) => partition));
  const lacking = new Set(messages.map(({ partition }) => partition).filter((partition) => !answered.has(partition)));
  if (lacking.size > 0) throw new Error(`nothing was written to topic ${topic}, partition ${[...lacking].join(', ')}`);
}

/** Encodes the value as bytes, because kafkajs reads its length several times and would scan a string each time. */
function encoded({ topic, partition, key, value, headers }: SentMessage): SizedMessage {
  const bytes = value === null ? null : Buffer.from(value);
  let size = Buffer.byteLength(key) + (bytes?.length ?? 0);
  for (const [name, text] of Object.entries(headers)) size += Buffer.byteLength(name) + Buffer.byteLength(text);
  if (size > LONGEST_MESSAGE)
    throw new RangeError(`a message of ${size} bytes for ${topic}: the longest has ${LONGEST_MESSAGE}`);
  return { message: { topic, partition, key, value: bytes, headers: { ...headers } }, size };
}

function partitionGiven({ message: { partition } }: PartitionerArgs): number {
  if (partition === undefined) throw new RangeError('a message without a partition');
  return partition;
}
