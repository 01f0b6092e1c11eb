import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import kafkajs from 'kafkajs';

const HOP = fileURLToPath(new URL('./hop.mjs', import.meta.url));
const HOPS = 5;

/**
 * The least that a message over five topics can cost: it is sent to the first, three processes hand it on, and it is read from
 * the last. No state, no database, no JSON.
 * @returns {Promise<{ roundTrip: (key: string, value: string) => Promise<void>, close: () => Promise<void> }>}
 */
export async function startRelay(brokers, partitions) {
  const kafka = new kafkajs.Kafka({ brokers: [...brokers], clientId: 'relay', logLevel: kafkajs.logLevel.NOTHING });
  const topics = Array.from({ length: HOPS }, (_, hop) => `relay.${hop}`);
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    topics: topics.map((topic) => ({ topic, numPartitions: partitions, replicationFactor: 1 })),
  });
  await admin.disconnect();
  const hops = topics.slice(0, -1).map((from, hop) => fork(HOP, [brokers.join(','), from, topics[hop + 1]]));
  await Promise.all(hops.map((process) => once(process, 'message')));

  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  const waiting = new Map();
  const consumer = kafka.consumer({ groupId: 'relay.end', maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topics: [topics[HOPS - 1]], fromBeginning: true });
  const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
  await consumer.run({
    partitionsConsumedConcurrently: 16,
    eachBatch: async ({ batch }) => {
      for (const { headers, key, value } of batch.messages) {
        const id = `${key}/${value.subarray(0, 36)}`;
        waiting.get(id)?.(headers);
        waiting.delete(id);
      }
    },
  });
  await joined;

  let queue = [];
  let sending = false;
  // Gathered while a send is under way, as Laurel's own producer does.
  async function drain() {
    if (sending) return;
    sending = true;
    while (queue.length > 0) {
      const messages = queue;
      queue = [];
      await producer.send({ topic: topics[0], acks: -1, messages });
    }
    sending = false;
  }
  return {
    roundTrip: (key, value) =>
      new Promise((resolve) => {
        waiting.set(`${key}/${value.slice(0, 36)}`, resolve);
        queue.push({ key, value });
        void drain();
      }),
    close: async () => {
      for (const hop of hops) hop.kill('SIGTERM');
      await Promise.all(hops.map((hop) => once(hop, 'exit')));
      await consumer.disconnect();
      await producer.disconnect();
    },
  };
}
