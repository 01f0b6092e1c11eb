/**
 * The event stream: topics of numbered partitions, each a totally ordered, durable sequence of messages. The port does not interpret
 * messages.
 *
 * Guarantees of every adapter (held by the contract suite in `@laurel/testing`):
 * - within a partition, messages are delivered in the order of their offsets, without gaps;
 * - a message is delivered at least once, and again after a crash, a rebalance or a failed batch;
 * - as far as the broker knows, one consumer of a group at a time owns a partition. A process that was frozen beyond its session may still
 *   believe that it owns one, so a writer must check the ownership itself;
 * - once `send` has resolved, every in-sync replica has the messages.
 */
export interface EventStream {
  /**
   * Creates missing topics, and refuses existing ones with another number of partitions. Several processes may call it at once.
   * It does not change existing topics: their retention belongs to the operator.
   * @throws TopicMismatchError; TooFewBrokersError if a topic has to be created with more copies than there are brokers
   */
  ensureTopics(topics: readonly TopicSpecification[]): Promise<void>;
  /**
   * Deletes a topic with its messages, if it exists, and creates it again. A running consumer continues at its first message; a
   * position that the group commits meanwhile may belong to the old topic.
   * @throws TooFewBrokersError; then the topic is unchanged
   */
  remakeTopic(topic: TopicSpecification): Promise<void>;
  openProducer(): Promise<StreamProducer>;
  /**
   * Consumes a topic as a member of a group. Resolves when the consumer runs, which may be before it owns partitions. It then
   * rejoins and reconnects by itself without limit. Rejects if the topic does not exist or no broker can be reached.
   */
  consume(subscription: Subscription, handler: PartitionHandler): Promise<StreamConsumer>;
  /** The bounds of the topic, by partition. */
  bounds(topic: string): Promise<readonly PartitionBounds[]>;
  /** The copies of the topics, in the order of the names. */
  copies(topics: readonly string[]): Promise<readonly TopicCopies[]>;
  /** The current retention settings of a topic. Rejects if the topic does not exist. */
  retention(topic: string): Promise<TopicRetention>;
  /**
   * Rejects if no broker answers within 5 s; with a group, if its coordinator does not answer, so that members cannot join.
   */
  ping(group?: string): Promise<void>;
  /** Close the producers and consumers first. */
  close(): Promise<void>;
}

/** How long a topic keeps its messages. */
export interface TopicRetention {
  /** null if messages are kept for ever. */
  readonly retentionMs: number | null;
  /**
   * The longest time for which a superseded message stays: one whose key was sent again, after which something was sent to the partition.
   * null if the topic is not compacted.
   */
  readonly compactionLagMs: number | null;
}

export interface TopicSpecification extends TopicRetention {
  readonly name: string;
  readonly partitions: number;
  readonly replication: number;
}

export interface PartitionBounds {
  /** The offset of the first retained message; the same as `end` if there is none. */
  readonly start: number;
  /** The offset after the last message. */
  readonly end: number;
}

/** The replicas of a topic, for the partition with the fewest. */
export interface TopicCopies {
  readonly topic: string;
  /** Brokers that should have a copy. */
  readonly copies: number;
  /** Brokers among them with all messages. */
  readonly inSync: number;
}

export interface OutgoingMessage {
  readonly topic: string;
  readonly partition: number;
  /** Used for compaction, and by people who inspect a topic. It does not determine the partition. */
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes compaction remove the earlier messages with its key, and later the tombstone itself. */
export interface Tombstone extends Omit<OutgoingMessage, 'value'> {
  readonly value: null;
}

export type SentMessage = OutgoingMessage | Tombstone;

export interface StreamMessage {
  readonly offset: number;
  readonly key: string;
  /** Empty for a tombstone. */
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The most bytes of a message (key, value, headers); `send` rejects a longer message. Large messages are compressed, and must then fit into
 * 32 MiB.
 */
export const LONGEST_MESSAGE = 128_000_000;

export interface StreamProducer {
  /**
   * Sends in this order within each partition. Resolves when all messages are stored. Rejects, within about 10 s (longer for many
   * megabytes), if some may not be stored: then some may be in the stream, and some may still get there, even after later messages.
   * Concurrent calls are sent together, in no particular order.
   */
  send(messages: readonly OutgoingMessage[]): Promise<void>;
  /** Sends tombstones, with the guarantees of {@link send}. */
  sendTombstones(tombstones: readonly Tombstone[]): Promise<void>;
  /** Waits for messages in flight. */
  close(): Promise<void>;
}

export interface Subscription {
  readonly topic: string;
  readonly group: string;
  /**
   * Where to start a partition: at the group's position, or the first message if it has none; or, at every assignment, at the first message
   * of the last `agoMs` milliseconds, whatever the group has read before.
   */
  readonly from: 'beginning' | { readonly agoMs: number };
  /** Partitions that are handled concurrently. */
  readonly concurrency: number;
}

/** By partition: the offset of the first message to deliver. An offset beyond the end means 0, because the topic was recreated. */
export type Beginnings = ReadonlyMap<number, number>;

/** Handles the partitions of a consumer. Calls for one partition never overlap. */
export interface PartitionHandler {
  /**
   * Called with all partitions that this member owns from now on, at every assignment, before their first batch, and one call at a time. The
   * result may say where to start; other partitions start where the subscription says.
   * If it rejects, it is called again after {@link RETRY_DELAYS}; meanwhile no batch is delivered.
   */
  onAssigned(partitions: readonly number[]): Promise<Beginnings | void>;
  /**
   * Returns the offset to continue with: after the last message, or any other up to `end`, to which the consumer then seeks
   * (to the first retained message, if that offset is gone).
   * If it rejects, the partition is paused, and a batch that begins at the same message is delivered after {@link RETRY_DELAYS}; other
   * partitions continue.
   */
  onBatch(batch: PartitionBatch): Promise<number>;
}

/** The injection token of the topic's {@link PartitionHandler} in a Nest controller of batches. */
export const PARTITION_HANDLER = Symbol('PartitionHandler');

/** Milliseconds until the retry after the first, second, … rejection in a row; the last for all later ones. */
export const RETRY_DELAYS: readonly number[] = [1_000, 2_000, 5_000, 10_000];

export interface PartitionBatch {
  readonly topic: string;
  readonly partition: number;
  /** Never empty. */
  readonly messages: readonly StreamMessage[];
  /** The offset after the last message of the partition. */
  readonly end: number;
}

export interface StreamConsumer {
  /** The owned partitions, as far as this member knows; null if it is not (or no longer) in the group. */
  readonly assigned: readonly number[] | null;
  health(): ConsumerHealth;
  /** Continues an owned partition at this offset. Batches in flight may still be delivered first. */
  readOn(partition: number, offset: number): void;
  /** Finishes the current batches, commits the group's positions and leaves the group. */
  close(): Promise<void>;
}

export interface ConsumerHealth {
  readonly topic: string;
  readonly group: string;
  /** The owned partitions by number; empty while the consumer is not in the group. */
  readonly partitions: readonly PartitionHealth[];
  /** The last problem with the group or the brokers, until it is resolved. */
  readonly trouble: string | null;
}

export interface PartitionHealth {
  readonly partition: number;
  /** Messages that are not handled yet, as of a few seconds ago; null if not known yet. */
  readonly lag: number | null;
  /** The rejections since the handler's last success: their number, and the last error. */
  readonly failure: { readonly attempts: number; readonly error: unknown } | null;
}

/** A topic has the wrong number of partitions, which would break the order per user. */
export class TopicMismatchError extends Error {
  override readonly name = 'TopicMismatchError';
  readonly topic: string;
  readonly found: number;
  readonly expected: number;

  constructor(topic: string, found: number, expected: number) {
    super(`topic ${topic} has ${found} partitions, not ${expected}: the order per user would break`);
    this.topic = topic;
    this.found = found;
    this.expected = expected;
  }
}

/** The replication factor exceeds the number of brokers. */
export class TooFewBrokersError extends Error {
  override readonly name = 'TooFewBrokersError';
  readonly topic: string;
  readonly brokers: number;
  readonly replication: number;

  constructor(topic: string, brokers: number, replication: number) {
    super(`topic ${topic} cannot have ${replication} copies: the cluster has fewer brokers (${brokers})`);
    this.topic = topic;
    this.brokers = brokers;
    this.replication = replication;
  }
}
