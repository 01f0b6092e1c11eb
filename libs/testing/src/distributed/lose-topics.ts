import { Kafka, logLevel } from 'kafkajs';
import type { Topology } from './topology.ts';

/** Topics are gone, with all that they held. */
export async function loseTopics({ kafka }: Topology, topics: readonly string[]): Promise<void> {
  const client = new Kafka({ brokers: [...kafka.brokers], clientId: 'lose-topics', logLevel: logLevel.NOTHING });
  const admin = client.admin();
  await admin.connect();
  try {
    await admin.deleteTopics({ topics: [...topics] });
  } finally {
    await admin.disconnect();
  }
}
