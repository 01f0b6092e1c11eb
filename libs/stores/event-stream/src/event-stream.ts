/**
 * The event stream: topics of numbered partitions, each a totally ordered, durable sequence of messages. What a message
 * means is not this port's business.
 *
 * Guarantees of every adapter (held by the contract suite in `@laurel/testing`):
 * - within a partition, messages are handed over in the order of their offsets, and none is left out;
 * - a message is handed over at least once: after a crash, a rebalance or a failed batch again;
 * - a partition is worked on by one consumer of a group at a time, as far as the broker knows: a process that was frozen
 *   beyond its session may still believe it owns one, so whoever writes must check that for itself;
 * - what `send` has resolved for is kept by every in-sync replica.
 */
export interface EventStream {
  /**
   * Creates missing topics, and refuses existing ones with another number of partitions. Several processes may call it at once.
   * It changes nothing about an existing topic: its retention is up to its operator.
   * @throws TopicMismatchError; TooFewBrokersError if a topic has to be made with more copies than there are brokers
   */
  ensureTopics(topics: readonly TopicSpecification[]): Promise<void>;
  /**
   * Deletes a topic with its messages, if it exists, and creates it again. A running consumer continues at its first message; a
   * group's position recorded meanwhile may be one of the old topic.
   * @throws TooFewBrokersError, and the topic is as it was
   */
  remakeTopic(topic: TopicSpecification): Promise<void>;
  openProducer(): Promise<StreamProducer>;
  /**
   * Consumes a topic as a member of a group. Resolves when the consumer runs, which may be before it owns partitions. It then
   * rejoins and reconnects by itself without limit. Rejects if the topic does not exist or no broker can be reached.
   */
  consume(subscription: Subscription, handler: PartitionHandler): Promise<StreamConsumer>;
  /** By partition. */
  bounds(topic: string): Promise<readonly PartitionBounds[]>;
  /** In the order of the names. */
  copies(topics: readonly string[]): Promise<readonly TopicCopies[]>;
  /** How long a topic keeps messages at present, by its operator's word. Rejects if the topic does not exist. */
  retention(topic: string): Promise<TopicRetention>;
  /**
   * Rejects if no broker answers within 5 s; with a group, if its coordinator does not answer: its members cannot join then.
   */
  ping(group?: string): Promise<void>;
  /** Close the producers and consumers first. */
  close(): Promise<void>;
}

/** How long a topic keeps its messages. */
export interface TopicRetention {
  /** null: messages are kept for ever. */
  readonly retentionMs: number | null;
  /**
   * How long a message stays at most once its key has come again in its partition, and once something was sent there after that time.
   * null: keys are not compared.
   */
  readonly compactionLagMs: number | null;
}

export interface TopicSpecification extends TopicRetention {
  readonly name: string;
  readonly partitions: number;
  readonly replication: number;
}

export interface PartitionBounds {
  /** Of the first message that is still kept; the same as `end` if none is. */
  readonly start: number;
  /** Behind the last message. */
  readonly end: number;
}

/** The replication factor of a topic: that of its partition with the fewest replicas. */
export interface TopicCopies {
  readonly topic: string;
  /** Brokers that are to have a copy. */
  readonly copies: number;
  /** Of them, those that have all messages. */
  readonly inSync: number;
}

export interface OutgoingMessage {
  readonly topic: string;
  readonly partition: number;
  /** For people who look into a topic, and for its compaction; it does not choose the partition. */
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Compaction removes the earlier messages with its key, and later the tombstone itself. */
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
 * The bytes of a message (key, value, headers) that `send` takes at most; a longer one is rejected before it is sent. Large
 * ones are compressed, and must then fit into 32 MiB.
 */
export const LONGEST_MESSAGE = 128_000_000;

export interface StreamProducer {
  /**
   * In this order within each partition. Resolves when all are kept; rejects, within about 10 s (longer if there are many
   * megabytes), if that is not known of all of them: then some may be in the stream, and some may still get there, also
   * behind later messages. Calls at the same time are sent together; between calls that do not wait for each other there is
   * no order.
   */
  send(messages: readonly OutgoingMessage[]): Promise<void>;
  /** As {@link send}. */
  sendTombstones(tombstones: readonly Tombstone[]): Promise<void>;
  /** Waits for what is being sent. */
  close(): Promise<void>;
}

export interface Subscription {
  readonly topic: string;
  readonly group: string;
  /**
   * Where a partition is begun: at the group's position, or the first message if it has none; or, at every assignment, at the
   * first message that is not older than so many milliseconds, whatever the group has read before.
   */
  readonly from: 'beginning' | { readonly agoMs: number };
  /** Partitions worked on at a time. */
  readonly concurrency: number;
}

/** By partition: the offset of the first message that is wanted. One beyond the end means that the topic was made anew: 0. */
export type Beginnings = ReadonlyMap<number, number>;

/** What a consumer does with its partitions. Calls for one partition never overlap. */
export interface PartitionHandler {
  /**
   * All partitions that this member owns from now on. Called at every assignment, before their first batch, and one at a time. The
   * answer may say where to begin; partitions that it does not name begin where the subscription says.
   * If it rejects, it is called again after {@link RETRY_DELAYS}; meanwhile no batch is handed over.
   */
  onAssigned(partitions: readonly number[]): Promise<Beginnings | void>;
  /**
   * Answers the offset to go on with: behind the last message, or any other up to `end`, to which the consumer then seeks
   * (to the first message kept, if that offset is no longer kept).
   * If it rejects, the partition is paused and a batch that begins at the same message handed over after
   * {@link RETRY_DELAYS}; other partitions go on.
   */
  onBatch(batch: PartitionBatch): Promise<number>;
}

/** In a Nest controller of batches: whoever consumes the topic, a {@link PartitionHandler}. */
export const PARTITION_HANDLER = Symbol('PartitionHandler');

/** Milliseconds to the next try after the first, second, … rejection in a row; the last for all later ones. */
export const RETRY_DELAYS: readonly number[] = [1_000, 2_000, 5_000, 10_000];

export interface PartitionBatch {
  readonly topic: string;
  readonly partition: number;
  /** Never empty. */
  readonly messages: readonly StreamMessage[];
  /** The offset behind the last message that the partition holds. */
  readonly end: number;
}

export interface StreamConsumer {
  /** The partitions owned, as far as this member knows; null: it is not (or no longer) in the group. */
  readonly assigned: readonly number[] | null;
  health(): ConsumerHealth;
  /** Reads a partition on from this offset, if it is owned. A hint: what is under way may still come before. */
  readOn(partition: number, offset: number): void;
  /** Finishes the batches under way, records the group's positions and leaves the group. */
  close(): Promise<void>;
}

export interface ConsumerHealth {
  readonly topic: string;
  readonly group: string;
  /** Of the partitions owned, by number; none while it is out of the group. */
  readonly partitions: readonly PartitionHealth[];
  /** What last went wrong with the group or the brokers, until that works again. */
  readonly trouble: string | null;
}

export interface PartitionHealth {
  readonly partition: number;
  /** Messages not handled yet, as of some seconds ago at most; null: not known yet. */
  readonly lag: number | null;
  /** Since the handler's last answer it has rejected: how often, and why the last time. */
  readonly failure: { readonly attempts: number; readonly error: unknown } | null;
}

/** A topic has another number of partitions than it is to have: the order per user would break. */
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

/** A message is to be kept by more brokers than there are. */
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
