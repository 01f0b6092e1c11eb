import { newMessage } from '@laurel/kernel';
import type { PublishedConfiguration, Streamed } from '@laurel/ports';
import { MemoryDataKeys } from '@laurel/event-store/fixtures';
import { subjectOf } from '@laurel/ports/fixtures';
import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import { MemoryPartitionStore, NOTHING_STORED } from './memory-partition-store.fixture.ts';
import { PartitionWorker, type PartitionWorkerDependencies } from './partition-worker.ts';
import { encodeStreamed, headersOf } from './protocol.ts';
import { Publications } from './publications.ts';
import { routesOf } from './chain-routes.fixture.ts';
import { numberedHistory, tracingArea } from './tracing-area.fixture.ts';
import { UserProjection } from './user-projection.ts';

export const PUBLISHED: PublishedConfiguration = { account: 'default', version: 1, document: null, publishedAt: 0 };

/** The message that announces version 1 of a configuration. */
export const publication: Streamed = { kind: 'configuration', account: 'default', version: 1, publishedAt: 0 };

export const recordAt = (position: number, user = 'ann', configurationVersion = 1): Streamed => ({
  kind: 'record',
  trail: [],
  message: newMessage({
    eventId: `event-${position}`,
    account: 'default',
    configurationVersion,
    occurredAt: position,
    recordedAt: position,
    position,
    fact: { type: 'UserSwept', subject: subjectOf(user), place: 0 },
  }),
});

export const message = (offset: number, sequence: number, streamed: Streamed, source = 0): StreamMessage => ({
  offset,
  key: '',
  value: encodeStreamed(streamed),
  headers: headersOf({ source, sequence }),
});

/** Messages at consecutive offsets: the first announces a publication, the n-th holds the record at position n. */
export const messagesUpTo = (count: number): readonly StreamMessage[] =>
  Array.from({ length: count }, (_, offset) =>
    message(offset, offset + 1, offset === 0 ? publication : recordAt(offset + 1)),
  );

/** A worker of the first service, with access to its input, its output and its faults. */
export function openWorkerUnderTest(dependencies: Partial<PartitionWorkerDependencies> = {}) {
  const database = { data: NOTHING_STORED };
  const store = new MemoryPartitionStore(database);
  const sent: OutgoingMessage[] = [];
  const effects: OutgoingMessage[] = [];
  const refused = new Set<number>();
  const published: PublishedConfiguration[] = [PUBLISHED];
  const area = tracingArea('users', ({ position }) => refused.has(position));
  const counts = { records: 0, configurations: 0, repeated: 0, batches: 0, sent: 0, effects: 0 };
  const openWorker = (more: Partial<PartitionWorkerDependencies> = {}) =>
    new PartitionWorker({
      partition: 0,
      store,
      publications: new Publications(numberedHistory, () => Promise.resolve(published)),
      openProjection: () =>
        new UserProjection({
          areasBySchema: [[area]],
          partition: 0,
          readStates: store.readStates.bind(store, 0),
          cachedUserBytes: 10_000,
        }),
      routes: routesOf(0),
      dataKeys: new MemoryDataKeys(),
      producer: { send: (messages) => Promise.resolve(void sent.push(...messages)) },
      sendEffects: (messages) => void effects.push(...messages),
      counts,
      ...dependencies,
      ...more,
    });
  const checkpoint = () => database.data.checkpoints.get(0);
  const apply = (
    worker: PartitionWorker,
    messages: readonly StreamMessage[],
    end = (messages.at(-1)?.offset ?? 0) + 1,
  ) => worker.onBatch({ messages, end });
  return {
    database,
    store,
    published,
    sent,
    effects,
    refused,
    counts,
    openWorker,
    checkpoint,
    apply,
    worker: openWorker(),
  };
}

export const numbers = (messages: readonly OutgoingMessage[]) =>
  messages.map(({ headers }) => headers['laurel-sequence']);
