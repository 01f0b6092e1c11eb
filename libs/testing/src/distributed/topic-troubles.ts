import { Kafka, logLevel, type Admin } from 'kafkajs';
import type { Topology } from './topology.ts';

/** Deletes topics with all their messages. */
export const loseTopics = ({ kafka }: Topology, topics: readonly string[]): Promise<void> =>
  withAdmin(kafka.brokers, (admin) => admin.deleteTopics({ topics: [...topics] }));

/** Sets a retention on a topic, and waits until the brokers have deleted all its messages. */
export const retainNothing = ({ kafka }: Topology, topic: string): Promise<void> =>
  withAdmin(kafka.brokers, async (admin) => {
    const held = new Map(
      (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => [partition, Number(high)]),
    );
    await set(admin, topic, { 'retention.ms': 1 });
    const isPresent = async (): Promise<boolean> =>
      (await admin.fetchTopicOffsets(topic)).some(({ partition, low }) => Number(low) < (held.get(partition) ?? 0));
    while (await isPresent()) await new Promise((resolve) => setTimeout(resolve, 200));
    await set(admin, topic, { 'retention.ms': -1 });
  });

/** Makes the brokers compact a topic soon. */
export const compactSoon = ({ kafka }: Topology, topic: string): Promise<void> =>
  withAdmin(kafka.brokers, (admin) => set(admin, topic, { 'max.compaction.lag.ms': 1_000 }));

/** The settings of a topic, by the names of Kafka. */
export const settingsOf = ({ kafka }: Topology, topic: string): Promise<ReadonlyMap<string, string>> =>
  withAdmin(kafka.brokers, (admin) => readSettings(admin, topic));

/** Writes something that is not a message of Laurel into a topic. */
export async function poison({ kafka }: Topology, topic: string, partition: number): Promise<void> {
  const producer = clientOf(kafka.brokers).producer({ createPartitioner: () => () => partition });
  await producer.connect();
  try {
    await producer.send({ topic, acks: -1, messages: [{ partition, value: 'no message of Laurel' }] });
  } finally {
    await producer.disconnect();
  }
}

/** The request replaces all settings of a topic. */
async function set(admin: Admin, name: string, changes: Readonly<Record<string, number>>): Promise<void> {
  const settings = new Map<string, string | number>([...(await readSettings(admin, name)), ...Object.entries(changes)]);
  const configEntries = [...settings].map(([setting, value]) => ({ name: setting, value: String(value) }));
  await admin.alterConfigs({ validateOnly: false, resources: [{ type: TOPIC, name, configEntries }] });
}

async function readSettings(admin: Admin, name: string): Promise<ReadonlyMap<string, string>> {
  const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [{ type: TOPIC, name }] });
  const entries = resources.flatMap(({ configEntries }) => configEntries).filter(({ isDefault }) => !isDefault);
  return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
}

/** Kafka's number for topics among the resources with settings. */
const TOPIC = 2;

const clientOf = (brokers: readonly string[]): Kafka =>
  new Kafka({ brokers: [...brokers], clientId: 'topic-troubles', logLevel: logLevel.NOTHING });

async function withAdmin<T>(brokers: readonly string[], work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = clientOf(brokers).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
