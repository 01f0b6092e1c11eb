import { pause, type Clock } from '@laurel/ports';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import {
  TooFewBrokersError,
  TopicMismatchError,
  type TopicCopies,
  type TopicRetention,
  type TopicSpecification,
} from '../event-stream.ts';

/** A batch of one message of the maximum size, with room for the overhead of the format. */
const LONGEST_BATCH = 32 * 1024 * 1024;
const ATTEMPTS = 100;
const BETWEEN_ATTEMPTS_MS = 50;
const SHORTEST_SEGMENT_MS = 60_000;
/** Kafka's number for topics among the resources with settings. */
const TOPIC = 2;

/** A new topic is not known to all brokers at once. */
const KNOWN_WITHIN_MS = 30_000;
const ASK_AGAIN_MS = 100;

/** Implements {@link import('../event-stream.ts').EventStream.ensureTopics}. */
export async function ensureTopics(admin: Admin, topics: readonly TopicSpecification[], clock: Clock): Promise<void> {
  const existing = new Set(await admin.listTopics());
  await createTopics(
    admin,
    topics.filter(({ name }) => !existing.has(name)),
  );
  await assertAsSpecified(admin, topics, clock);
}

/** Another process may create them first; they are checked afterwards in any case. */
async function createTopics(admin: Admin, topics: readonly TopicSpecification[]): Promise<void> {
  if (topics.length === 0) return;
  await assertEnoughBrokers(admin, topics);
  await admin.createTopics({ topics: topics.map(configOf), waitForLeaders: false });
}

async function assertEnoughBrokers(admin: Admin, topics: readonly TopicSpecification[]): Promise<void> {
  const { brokers } = await admin.describeCluster();
  const demanding = topics.find(({ replication }) => replication > brokers.length);
  if (demanding) throw new TooFewBrokersError(demanding.name, brokers.length, demanding.replication);
}

async function assertAsSpecified(admin: Admin, topics: readonly TopicSpecification[], clock: Clock): Promise<void> {
  const partitions = await partitionsOf(admin, topics, clock);
  for (const { name, partitions: expected } of topics) {
    const actual = partitions.get(name) ?? 0;
    if (actual !== expected) throw new TopicMismatchError(name, actual, expected);
    await untilLed(clock, () => admin.fetchTopicOffsets(name));
  }
}

/**
 * Retries until the partitions have leaders. A topic's partitions are known a moment before that, also after a broker has restarted, and a
 * consumer that starts then would have to join its group twice.
 */
export async function untilLed<T>(clock: Clock, question: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await question();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof kafkajs.KafkaJSProtocolError && error.retriable)) throw error;
      await pause(clock, BETWEEN_ATTEMPTS_MS);
    }
  }
}

/** Implements {@link import('../event-stream.ts').EventStream.remakeTopic}. */
export async function remakeTopic(admin: Admin, topic: TopicSpecification, clock: Clock): Promise<void> {
  // Check before anything is deleted.
  await assertEnoughBrokers(admin, [topic]);
  if ((await admin.listTopics()).includes(topic.name)) await admin.deleteTopics({ topics: [topic.name] });
  // A broker deletes a topic asynchronously.
  const since = clock.elapsedMs();
  while ((await admin.listTopics()).includes(topic.name)) {
    if (clock.elapsedMs() - since > KNOWN_WITHIN_MS) throw new Error(`the topic ${topic.name} is not deleted`);
    await pause(clock, ASK_AGAIN_MS);
  }
  // Without a check of existing topics: another broker may still list the old topic.
  await createTopics(admin, [topic]);
  await assertAsSpecified(admin, [topic], clock);
}

/** Implements {@link import('../event-stream.ts').EventStream.copies}. */
export async function copiesOf(admin: Admin, names: readonly string[]): Promise<readonly TopicCopies[]> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
  const found = new Map(topics.map(({ name, partitions }) => [name, partitions]));
  return names.map((topic) => {
    const partitions = found.get(topic) ?? [];
    return {
      topic,
      copies: Math.min(...partitions.map(({ replicas }) => replicas.length)),
      inSync: Math.min(...partitions.map(({ isr }) => isr.length)),
    };
  });
}

/** Implements {@link import('../event-stream.ts').EventStream.retention}. */
export async function retentionOf(admin: Admin, name: string): Promise<TopicRetention> {
  const resources = [{ type: TOPIC, name, configNames: ['cleanup.policy', 'retention.ms', 'max.compaction.lag.ms'] }];
  const [described] = (await admin.describeConfigs({ resources, includeSynonyms: false })).resources;
  const settings = new Map(described?.configEntries.map(({ configName, configValue }) => [configName, configValue]));
  const policies = settings.get('cleanup.policy')?.split(',') ?? [];
  const retentionMs = Number(settings.get('retention.ms') ?? -1);
  return {
    retentionMs: policies.includes('delete') && retentionMs >= 0 ? retentionMs : null,
    compactionLagMs: policies.includes('compact')
      ? Number(settings.get('max.compaction.lag.ms') ?? Number.MAX_SAFE_INTEGER)
      : null,
  };
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
      await pause(clock, ASK_AGAIN_MS);
    }
  }
}

function configOf({ name, partitions, replication, retentionMs, compactionLagMs }: TopicSpecification): ITopicConfig {
  const entries = new Map<string, string | number>([
    ['cleanup.policy', compactionLagMs === null ? 'delete' : 'compact,delete'],
    ['retention.ms', retentionMs ?? -1],
    ['retention.bytes', -1],
    ['max.message.bytes', LONGEST_BATCH],
    // Retention goes by the broker's clock, not by the sender's.
    ['message.timestamp.type', 'LogAppendTime'],
    // One replica may be down without stopping writers, and acknowledged messages survive the loss of another.
    ['min.insync.replicas', replication >= 3 ? 2 : 1],
    ['unclean.leader.election.enable', 'false'],
  ]);
  // Only whole segments are removed, so segments must be much shorter than the retention.
  if (retentionMs !== null) entries.set('segment.ms', Math.max(SHORTEST_SEGMENT_MS, Math.floor(retentionMs / 4)));
  if (compactionLagMs !== null) entries.set('max.compaction.lag.ms', compactionLagMs);
  // A consumer that is away for the whole retention still gets each tombstone.
  if (compactionLagMs !== null && retentionMs !== null) entries.set('delete.retention.ms', retentionMs);
  return {
    topic: name,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: [...entries].map(([key, value]) => ({ name: key, value: String(value) })),
  };
}
