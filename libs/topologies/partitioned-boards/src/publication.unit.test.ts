import { USER_AREAS } from '@laurel/all-areas';
import { userStep, userStepDefinition } from '@laurel/chain';
import {
  type PartitionProjection,
  type PartitionStore,
  PartitionWorker,
  Publications,
  Relay,
  START,
} from '@laurel/engine';
import type { Configuration, ConfigurationHistory, ConfigurationPublished, RecordedEvent } from '@laurel/kernel';
import { stepOf, TOPICS, USER_SERVICES, type PublishedConfiguration } from '@laurel/ports';
import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { ManualClock } from '@laurel/testing/clock';
import { BOARDS_STEP } from './boards-step.ts';

const PARTITIONS = 1_000;
const SERVICES = [
  ...USER_SERVICES.map((service) => userStep(userStepDefinition(stepOf([service]), USER_AREAS))),
  BOARDS_STEP,
];
const PUBLISHED: PublishedConfiguration = {
  account: 'default',
  version: 2,
  document: { filling: 'x'.repeat(20_000) },
  publishedAt: 1_000,
};

const nothingIn = (account: string): ConfigurationHistory => ({
  account,
  current: {} as Configuration,
  at: () => ({}) as Configuration,
  findTrigger: () => null,
});

/** Topics in memory, and everything that was ever sent to them. */
class Topics {
  readonly sent: OutgoingMessage[] = [];
  readonly #messages = new Map<string, StreamMessage[]>();

  readonly send = (messages: readonly OutgoingMessage[]): Promise<void> => {
    for (const { topic, partition, key, value, headers } of messages) {
      const kept = this.of(topic, partition);
      kept.push({ offset: kept.length, key, value, headers });
    }
    this.sent.push(...messages);
    return Promise.resolve();
  };

  of(topic: string, partition: number): StreamMessage[] {
    const name = `${topic} ${partition}`;
    const messages = this.#messages.get(name) ?? [];
    this.#messages.set(name, messages);
    return messages;
  }
}

const EMPTY_STORE: PartitionStore = {
  read: () => Promise.resolve(START),
  commit: () => Promise.resolve(),
  readPlaces: () => Promise.resolve(new Map()),
};

/** No record comes by. */
const NO_AREAS: PartitionProjection = {
  begin: () => ({
    load: () => Promise.resolve(),
    apply: () => Promise.reject(new Error('no record comes by')),
    changes: () => [],
    weight: 0,
    publish: () => undefined,
    discard: () => undefined,
  }),
};

async function relayPublication(topics: Topics): Promise<void> {
  const { account, version, document, publishedAt } = PUBLISHED;
  const fact: ConfigurationPublished = { type: 'ConfigurationPublished', version, document };
  const record: RecordedEvent = {
    eventId: 'e',
    account,
    configurationVersion: version,
    occurredAt: publishedAt,
    recordedAt: publishedAt,
    position: 1,
    fact,
  };
  const relay = new Relay({
    log: { read: (after) => Promise.resolve(after < 1 ? [record] : []), onAppend: () => () => undefined },
    producer: { send: topics.send },
    store: { read: () => Promise.resolve({ position: 0, sent: new Map() }), save: () => Promise.resolve() },
    dataKeys: new MemoryDataKeys(),
    partitions: PARTITIONS,
    clock: new ManualClock(),
    onTrouble: (error) => {
      throw error;
    },
  });
  await relay.publish();
}

it('a publication takes a few small messages per partition, and each service reads it once', async () => {
  const topics = new Topics();
  await relayPublication(topics);
  for (const service of SERVICES) {
    let reads = 0;
    const publications = new Publications(nothingIn, () => {
      reads++;
      return Promise.resolve([PUBLISHED]);
    });
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const messages = topics.of(service.input, partition);
      if (messages.length === 0) continue;
      const worker = new PartitionWorker({
        partition,
        store: EMPTY_STORE,
        publications,
        openProjection: () => NO_AREAS,
        routes: service.routes(PARTITIONS),
        dataKeys: new MemoryDataKeys(),
        producer: { send: topics.send },
        sendEffects: () => undefined,
        counts: { records: 0, configurations: 0, repeated: 0, batches: 0, sent: 0, effects: 0 },
      });
      await worker.onBatch({ messages, end: messages.length });
    }
    expect(reads).toBeLessThanOrEqual(1);
  }
  const counts = Object.values(TOPICS).map((topic) => topics.sent.filter((message) => message.topic === topic).length);
  expect(counts).toEqual([PARTITIONS, PARTITIONS, PARTITIONS, 0, 0]);
  expect(Math.max(...topics.sent.map(({ value }) => value.length))).toBeLessThan(200);
});
