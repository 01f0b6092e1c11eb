import type { Clock } from '@laurel/contracts';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import { TopicMismatchError, type TopicSpecification } from '../event-stream.ts';

/** A batch of one message of the longest size, with room for what the format adds. */
const LONGEST_BATCH = 32 * 1024 * 1024;
const ATTEMPTS = 100;
const BETWEEN_ATTEMPTS_MS = 50;
const SHORTEST_SEGMENT_MS = 60_000;

/** A broker that has just made a topic does not know of it everywhere at once. */
const KNOWN_WITHIN_MS = 30_000;
const ASK_AGAIN_MS = 100;

/** As {@link import('../event-stream.ts').EventStream.ensureTopics}. */
export async function ensureTopics(admin: Admin, topics: readonly TopicSpecification[], clock: Clock): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = topics.filter(({ name }) => !existing.has(name));
  // False if another process was faster: then its topics are looked at below like any other.
  if (missing.length > 0) await admin.createTopics({ topics: missing.map(configOf), waitForLeaders: false });
  const partitions = await partitionsOf(admin, topics, clock);
  for (const { name, partitions: expected } of topics) {
    const actual = partitions.get(name) ?? 0;
    if (actual !== expected) throw new TopicMismatchError(name, actual, expected);
    await untilLed(clock, () => admin.fetchTopicOffsets(name));
  }
}

/**
 * A topic's partitions are known a moment before the brokers feel responsible for them, also after a broker has come back;
 * a consumer that begins then would have to join its group twice.
 */
export async function untilLed<T>(clock: Clock, question: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await question();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof kafkajs.KafkaJSProtocolError && error.retriable)) throw error;
      await new Promise<void>((resolve) => clock.after(BETWEEN_ATTEMPTS_MS, resolve));
    }
  }
}

/** As {@link import('../event-stream.ts').EventStream.remakeTopic}. */
export async function remakeTopic(admin: Admin, topic: TopicSpecification, clock: Clock): Promise<void> {
  if ((await admin.listTopics()).includes(topic.name)) await admin.deleteTopics({ topics: [topic.name] });
  // A broker deletes a topic behind its answer.
  const since = clock.elapsedMs();
  while ((await admin.listTopics()).includes(topic.name)) {
    if (clock.elapsedMs() - since > KNOWN_WITHIN_MS) throw new Error(`the topic ${topic.name} is not deleted`);
    await new Promise<void>((resolve) => void clock.after(ASK_AGAIN_MS, resolve));
  }
  await ensureTopics(admin, [topic], clock);
}

async function partitionsOf(
  admin: Admin,
  topics: readonly TopicSpecification[],
  clock: Clock,
): Promise<ReadonlyMap<string, number>> {
  const since = clock.elapsedMs();
  for (;;) {
    try {
      const { topics: found } = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => name) });
      return new Map(found.map((topic) => [topic.name, topic.partitions.length]));
    } catch (error) {
      if (clock.elapsedMs() - since > KNOWN_WITHIN_MS) throw error;
      await new Promise<void>((resolve) => void clock.after(ASK_AGAIN_MS, resolve));
    }
  }
}

function configOf({ name, partitions, replication, retentionMs }: TopicSpecification): ITopicConfig {
  const entries = new Map<string, string | number>([
    ['cleanup.policy', 'delete'],
    ['retention.ms', retentionMs ?? -1],
    ['retention.bytes', -1],
    ['max.message.bytes', LONGEST_BATCH],
    // The broker's clock decides what is old, not that of whoever sent it.
    ['message.timestamp.type', 'LogAppendTime'],
    // One replica may be down without stopping writers, and what was acknowledged survives the loss of another.
    ['min.insync.replicas', replication >= 3 ? 2 : 1],
    ['unclean.leader.election.enable', 'false'],
  ]);
  // Only whole segments are removed, so a segment must end long before it is due.
  if (retentionMs !== null) entries.set('segment.ms', Math.max(SHORTEST_SEGMENT_MS, Math.floor(retentionMs / 4)));
  return {
    topic: name,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: [...entries].map(([key, value]) => ({ name: key, value: String(value) })),
  };
}
