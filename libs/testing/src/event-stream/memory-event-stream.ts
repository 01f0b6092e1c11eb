import {
  LONGEST_MESSAGE,
  TooFewBrokersError,
  TopicMismatchError,
  type EventStream,
  type PartitionBounds,
  type PartitionHandler,
  type SentMessage,
  type StreamConsumer,
  type StreamProducer,
  type Subscription,
  type TopicCopies,
  type TopicRetention,
  type TopicSpecification,
} from '@laurel/event-stream';
import { MemoryGroup } from './memory-group.ts';
import { MemoryTopic } from './memory-topic.ts';

export interface MemoryEventStreamOptions {
  /** Most messages in a batch. */
  readonly batchSize?: number;
  /** Replaces `RETRY_DELAYS` in tests that cannot wait that long. */
  readonly retryDelays?: readonly number[];
}

/** The messages of a rejected send: `lost`, or `kept` in the topic. */
export type SendFault = 'lost' | 'kept';

/** The event stream's port in memory: one broker, and all processes that use it. */
export class MemoryEventStream implements EventStream {
  readonly #options: MemoryEventStreamOptions;
  readonly #topics = new Map<string, MemoryTopic>();
  readonly #groups = new Map<string, MemoryGroup>();
  #faultOf: (messages: readonly SentMessage[]) => SendFault | null = () => null;

  constructor(options: MemoryEventStreamOptions = {}) {
    this.#options = options;
  }

  /** From now on, called for every send; null lets the send succeed. */
  injectFaults(faultOf: (messages: readonly SentMessage[]) => SendFault | null): void {
    this.#faultOf = faultOf;
  }

  ensureTopics(topics: readonly TopicSpecification[]): Promise<void> {
    for (const topic of topics) {
      const { name, partitions, replication } = topic;
      const found = this.#topics.get(name);
      if (!found && replication > 1) return Promise.reject(new TooFewBrokersError(name, 1, replication));
      if (!found) this.#topics.set(name, new MemoryTopic(topic));
      else if (found.partitions !== partitions)
        return Promise.reject(new TopicMismatchError(name, found.partitions, partitions));
    }
    return Promise.resolve();
  }

  remakeTopic(topic: TopicSpecification): Promise<void> {
    const found = this.#topics.get(topic.name);
    if (topic.replication > 1) return Promise.reject(new TooFewBrokersError(topic.name, 1, topic.replication));
    if (!found) return this.ensureTopics([topic]);
    found.clear(topic.partitions);
    for (const group of this.#groups.values()) if (group.topic === found) group.beginAnew();
    return Promise.resolve();
  }

  openProducer(): Promise<StreamProducer> {
    let isOpen = true;
    const close = (): Promise<void> => {
      isOpen = false;
      return Promise.resolve();
    };
    const send = (messages: readonly SentMessage[]): Promise<void> =>
      isOpen ? this.#send(messages) : Promise.reject(new Error('this producer is closed'));
    return Promise.resolve({ send, sendTombstones: send, close });
  }

  async consume(subscription: Subscription, handler: PartitionHandler): Promise<StreamConsumer> {
    const topic = this.#topicOf(subscription.topic);
    const name = JSON.stringify([subscription.group, subscription.topic]);
    const group = this.#groups.get(name) ?? new MemoryGroup(topic);
    this.#groups.set(name, group);
    return group.join(subscription, handler, this.#options);
  }

  bounds(topic: string): Promise<readonly PartitionBounds[]> {
    const ends = this.#topicOf(topic).ends();
    return Promise.resolve(ends.map((end) => ({ start: 0, end })));
  }

  copies(topics: readonly string[]): Promise<readonly TopicCopies[]> {
    return Promise.resolve(topics.map((topic) => ({ topic, copies: 1, inSync: 1 })));
  }

  retention(topic: string): Promise<TopicRetention> {
    const { retentionMs, compactionLagMs } = this.#topicOf(topic);
    return Promise.resolve({ retentionMs, compactionLagMs });
  }

  ping(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #topicOf(name: string): MemoryTopic {
    const topic = this.#topics.get(name);
    if (!topic) throw new Error(`there is no topic ${name}`);
    return topic;
  }

  /** Resolves asynchronously, as over a network. */
  async #send(messages: readonly SentMessage[]): Promise<void> {
    for (const message of messages) refuseTooLong(message);
    const fault = this.#faultOf(messages);
    if (fault !== 'lost') for (const message of messages) this.#topicOf(message.topic).append(message);
    await new Promise((resolve) => setImmediate(resolve));
    if (fault !== null) throw new Error(`a send that fails on purpose: ${fault}`);
  }
}

function refuseTooLong({ key, value, headers }: SentMessage): void {
  const texts = [key, value ?? '', ...Object.entries(headers).flat()];
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size > LONGEST_MESSAGE) throw new RangeError(`a message of ${size} bytes: the longest has ${LONGEST_MESSAGE}`);
}
