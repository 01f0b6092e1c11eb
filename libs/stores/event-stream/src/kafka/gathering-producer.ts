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
import { SendLane, type EncodedMessage, type SendRequest, type SizedMessage } from './send-lane.ts';

const ALL_IN_SYNC_REPLICAS = -1;

type ProducerSettings = Pick<KafkaSettings, 'clock' | 'log'>;

/**
 * Sends whatever is given in one turn of the event loop, or while the former request to that topic is under way, as one
 * request: under load that divides the costs by the number of callers, and a single caller waits for nobody.
 */
export class GatheringProducer implements StreamProducer {
  readonly #kafka: Kafka;
  readonly #clock: Clock;
  readonly #log: StreamLog | undefined;
  readonly #lanes = new Map<string, SendLane>();
  #producer: Promise<Producer> | null = null;
  #closed = false;

  static async open(kafka: Kafka, settings: ProducerSettings): Promise<GatheringProducer> {
    const producer = new GatheringProducer(kafka, settings);
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
    await Promise.all([...this.#lanes.values()].map((lane) => lane.idle()));
    await this.#producer?.then((producer) => producer.disconnect()).catch(() => undefined);
  }

  async #sendAll(messages: readonly SentMessage[]): Promise<void> {
    if (this.#closed) throw new Error('this producer is closed');
    const sized = messages.map(encoded);
    const sent = [...groupBy(sized, ({ message }) => message.topic)].map(([topic, ofTopic]) =>
      this.#laneOf(topic).send(ofTopic),
    );
    // All are waited for, so that the caller does not go on while a part of the call is under way.
    const failed = (await Promise.allSettled(sent)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  #laneOf(topic: string): SendLane {
    const found = this.#lanes.get(topic);
    if (found) return found;
    const lane = new SendLane(topic, this.#clock, (request) => this.#request(topic, request));
    this.#lanes.set(topic, lane);
    return lane;
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

  /** kafkajs goes on using a connection that only seems to live. */
  #replace(failed: Promise<Producer>, cause: unknown): void {
    if (this.#producer !== failed || this.#closed) return;
    this.#producer = null;
    this.#log?.('warn', `the producer is replaced: ${cause instanceof Error ? cause.message : String(cause)}`, {});
    void failed.then((producer) => producer.disconnect()).catch(() => undefined);
  }

  async #connect(): Promise<Producer> {
    // With kafkajs's own partitioner it would print a warning.
    const producer = this.#kafka.producer({ allowAutoTopicCreation: false, createPartitioner: () => partitionGiven });
    await producer.connect();
    return producer;
  }
}

/**
 * When kafkajs tries again, it leaves out a broker that has answered before. If that one has taken over the lead of another
 * partition meanwhile, the messages of this partition are never sent, and kafkajs resolves all the same.
 */
function assertWritten(topic: string, messages: readonly EncodedMessage[], written: readonly RecordMetadata[]): void {
  const answered = new Set(written.map(({ partition }) => partition));
  const lacking = new Set(messages.map(({ partition }) => partition).filter((partition) => !answered.has(partition)));
  if (lacking.size > 0) throw new Error(`nothing was written to topic ${topic}, partition ${[...lacking].join(', ')}`);
}

/** The value as bytes: kafkajs asks for its length several times, and would scan a string each time. */
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
