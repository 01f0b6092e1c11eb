// One hop of the bare relay: hands every message of a topic on to the next, gathered as they come. node hop.mjs BROKERS FROM TO
import kafkajs from 'kafkajs';

const [, , brokers, from, to] = process.argv;
const kafka = new kafkajs.Kafka({
  brokers: brokers.split(','),
  clientId: `relay.${from}`,
  logLevel: kafkajs.logLevel.NOTHING,
});
const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
await producer.connect();
const consumer = kafka.consumer({ groupId: `relay.${from}`, maxWaitTimeInMs: 100 });
await consumer.connect();
await consumer.subscribe({ topics: [from], fromBeginning: true });
consumer.on(consumer.events.GROUP_JOIN, () => process.send?.('ready'));
await consumer.run({
  partitionsConsumedConcurrently: 16,
  eachBatch: ({ batch }) =>
    sendOn(batch.messages.map(({ key, value }) => ({ key, value, partition: batch.partition }))),
});

let gathered = [];
let next = null;
let underWay = Promise.resolve();
/** One request at a time, of all that was fetched meanwhile, as Laurel does it. */
function sendOn(messages) {
  gathered.push(...messages);
  next ??= underWay
    .then(() => new Promise((resolve) => setImmediate(resolve)))
    .then(() => {
      const all = gathered;
      gathered = [];
      next = null;
      return (underWay = producer.send({ topic: to, acks: -1, messages: all }));
    });
  return next;
}
// Ends with whoever started it.
process.on('disconnect', () => process.exit());
process.on('SIGTERM', async () => {
  await consumer.disconnect();
  await producer.disconnect();
  process.exit(0);
});
