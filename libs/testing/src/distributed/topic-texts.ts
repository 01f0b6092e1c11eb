import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import type { Topology } from './topology.ts';

/** All messages that are in some topics at present, as text: keys, values and headers. */
export const topicTexts = async (topology: Topology, topics: readonly string[]): Promise<readonly string[]> =>
  (await topicMessages(topology, topics)).map(({ key, value, headers }) => [key, value, headers].join(' '));

interface TopicMessage {
  readonly key: string | undefined;
  readonly value: string | undefined;
  /** Headers as JSON. */
  readonly headers: string;
}

/** All messages that are in some topics at present, each partition in the order of its offsets. */
export async function topicMessages({ kafka }: Topology, topics: readonly string[]): Promise<readonly TopicMessage[]> {
  const client = new Kafka({ brokers: [...kafka.brokers], clientId: 'topic-texts', logLevel: logLevel.NOTHING });
  const open = await endsOf(client, topics);
  const messages: TopicMessage[] = [];
  const consumer = client.consumer({ groupId: `topic-texts-${randomUUID()}` });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      if (open.size === 0) resolve();
      consumer.on('consumer.crash', ({ payload }) => reject(payload.error));
      const eachMessage = ({ topic, partition, message }: Read): Promise<void> => {
        const { key, value, headers, offset } = message;
        messages.push({ key: key?.toString(), value: value?.toString(), headers: JSON.stringify(headers) });
        const place = `${topic} ${partition}`;
        if (Number(offset) + 1 >= (open.get(place) ?? 0)) open.delete(place);
        if (open.size === 0) resolve();
        return Promise.resolve();
      };
      consumer.run({ autoCommit: false, eachMessage }).catch(reject);
    });
    return messages;
  } finally {
    await consumer.disconnect();
  }
}

interface Read {
  readonly topic: string;
  readonly partition: number;
  readonly message: {
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    readonly headers?: object;
    readonly offset: string;
  };
}

/** The end of each partition that has messages. */
async function endsOf(client: Kafka, topics: readonly string[]): Promise<Map<string, number>> {
  const admin = client.admin();
  await admin.connect();
  try {
    const ends = new Map<string, number>();
    for (const topic of topics)
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
        if (Number(high) > Number(low)) ends.set(`${topic} ${partition}`, Number(high));
    return ends;
  } finally {
    await admin.disconnect();
  }
}
