import type { Clock } from '@laurel/contracts';
import { CompressionTypes, type Kafka, type Message, type PartitionerArgs, type Producer } from 'kafkajs';
import { LONGEST_MESSAGE, type OutgoingMessage, type StreamProducer } from '../event-stream.ts';
import { within } from './deadline.ts';
import type { KafkaSettings, StreamLog } from './kafka-client.ts';

const KEPT_WITHIN_MS = 10_000;
/**
 * A batch of one partition: no more than a consumer fetches of one at a time. A single message that is longer is compressed,
 * so that most still are not; for others the time would cost more than the bytes.
 */
const LONGEST_BATCH = 900_000;
const ALL_IN_SYNC_REPLICAS = -1;

type ProducerSettings = Pick<KafkaSettings, 'clock' | 'log'>;

/**
 * Sends whatever arrived while the former request to that topic was under way as one request: under load that divides the
 * costs by the number of callers, and a single caller waits for nobody.
 */
export class GatheringProducer implements StreamProducer {
  readonly #kafka: Kafka;
  readonly #clock: Clock;
  readonly #log: StreamLog | undefined;
  readonly #lanes = new Map<string, Lane>();
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
    if (this.#closed) throw new Error('this producer is closed');
    const sized = messages.map((message) => ({ message, size: sizeOf(message) }));
    const sent = [...groupBy(sized, ({ message }) => message.topic)].map(([topic, ofTopic]) =>
      within(
        this.#clock,
        KEPT_WITHIN_MS,
        `not known within ${KEPT_WITHIN_MS / 1000} s whether topic ${topic} has taken the messages`,
        this.#laneOf(topic).add(ofTopic),
      ),
    );
    // All are waited for, so that nothing of this call is under way when it rejects.
    const failed = (await Promise.allSettled(sent)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.idle()));
    await this.#producer?.then((producer) => producer.disconnect()).catch(() => undefined);
  }

  #laneOf(topic: string): Lane {
    const found = this.#lanes.get(topic);
    if (found) return found;
    const lane = new Lane((request) => this.#request(topic, request));
    this.#lanes.set(topic, lane);
    return lane;
  }

  async #request(topic: string, { messages, isLarge }: Request): Promise<void> {
    const producer = this.#connected();
    try {
      const sending = producer.then((connected) =>
        connected.send({
          topic,
          acks: ALL_IN_SYNC_REPLICAS,
          compression: isLarge ? CompressionTypes.GZIP : CompressionTypes.None,
          messages: messages.map(kafkaMessage),
        }),
      );
      await within(this.#clock, KEPT_WITHIN_MS, `no answer from topic ${topic}`, sending);
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

interface Sized {
  readonly message: OutgoingMessage;
  readonly size: number;
}

interface Call {
  readonly messages: readonly Sized[];
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The requests to one topic, one at a time: so they arrive in the order of the calls. */
class Lane {
  readonly #request: (request: Request) => Promise<void>;
  #waiting: Call[] = [];
  #running: Promise<void> | null = null;

  constructor(request: (request: Request) => Promise<void>) {
    this.#request = request;
  }

  add(messages: readonly Sized[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ messages, resolve, reject });
      this.#running ??= this.#run().finally(() => (this.#running = null));
    });
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const calls = this.#waiting;
      this.#waiting = [];
      try {
        for (const request of requestsOf(calls.flatMap(({ messages }) => messages))) await this.#request(request);
        for (const { resolve } of calls) resolve();
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
  }
}

interface Request {
  readonly messages: readonly OutgoingMessage[];
  readonly isLarge: boolean;
}

/** In the order given, cut where a partition's share would grow beyond a batch; a message that is longer than one goes alone. */
function* requestsOf(messages: readonly Sized[]): Generator<Request> {
  let request: OutgoingMessage[] = [];
  let sizes = new Map<number, number>();
  for (const { message, size } of messages) {
    const isLarge = size > LONGEST_BATCH;
    const share = (sizes.get(message.partition) ?? 0) + size;
    if (request.length > 0 && share > LONGEST_BATCH) {
      yield { messages: request, isLarge: false };
      request = [];
      sizes = new Map();
    }
    if (isLarge) {
      yield { messages: [message], isLarge };
      continue;
    }
    sizes.set(message.partition, (sizes.get(message.partition) ?? 0) + size);
    request.push(message);
  }
  if (request.length > 0) yield { messages: request, isLarge: false };
}

function sizeOf({ topic, key, value, headers }: OutgoingMessage): number {
  const texts = [key, value, ...Object.entries(headers).flat()];
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size > LONGEST_MESSAGE)
    throw new RangeError(`a message of ${size} bytes for ${topic}: the longest has ${LONGEST_MESSAGE}`);
  return size;
}

const kafkaMessage = ({ partition, key, value, headers }: OutgoingMessage): Message => ({
  partition,
  key,
  value,
  headers: { ...headers },
});

function partitionGiven({ message: { partition } }: PartitionerArgs): number {
  if (partition === undefined) throw new RangeError('a message without a partition');
  return partition;
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
