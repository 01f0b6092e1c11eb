import type { EventStream } from '@laurel/event-stream';
import { Reader, until } from './reader.ts';

const EVERY_MS = 500;

/**
 * Writes messages 1, 2, … to a new topic and reads them at the same time: one at first, and another every half second
 * for `forMs`.
 * @returns the messages read
 */
export async function writeAndRead(stream: EventStream, topic: string, forMs = 0): Promise<readonly string[]> {
  await stream.ensureTopics([{ name: topic, partitions: 1, replication: 1, retentionMs: null, compactionLagMs: null }]);
  const reader = new Reader();
  await reader.start(stream, { topic, group: topic, from: 'beginning', concurrency: 1 });
  const producer = await stream.openProducer();
  const endsAt = Date.now() + forMs;
  let sent = 0;
  do {
    await producer.send([{ topic, partition: 0, key: 'k', value: String(++sent), headers: {} }]);
    if (forMs > 0) await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  } while (Date.now() < endsAt);
  await until(() => reader.count >= sent);
  await producer.close();
  await reader.close();
  return reader.seen(0).map(({ value }) => value);
}
