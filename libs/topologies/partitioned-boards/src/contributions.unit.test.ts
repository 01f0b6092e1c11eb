import {
  PartitionWorker,
  Publications,
  START,
  UserProjection,
  decodeEffect,
  encodeStreamed,
  headersOf,
  publicationsIn,
  type PartitionCheckpoint,
  type PartitionCommit,
  type PartitionProjection,
  type PartitionStore,
  type Routes,
} from '@laurel/engine';
import { USER_AREAS } from '@laurel/all-areas';
import { compileHistory } from '@laurel/configuration';
import { newMessage, type RecordedEvent, type Row } from '@laurel/kernel';
import { TOPICS, type EffectMessage } from '@laurel/ports';
import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import { leaderboardTables } from '@laurel/leaderboards';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { live, lives, recordedUserEvents } from '@laurel/testing/histories';
import fc from 'fast-check';
import { fanOut, toCallers } from '@laurel/chain';
import { OwnedBoards } from './owned-boards.ts';

const PARTITIONS = 4;
const NOTHING = { query: () => Promise.resolve([]) };

/** Keeps what is committed: rows, and the checkpoint. */
class MemoryStore implements PartitionStore {
  readonly rows: [string, Row][] = [];
  #checkpoint: PartitionCheckpoint = START;

  get checkpoint(): PartitionCheckpoint {
    return this.#checkpoint;
  }

  read(): Promise<PartitionCheckpoint> {
    return Promise.resolve(this.#checkpoint);
  }

  commit({ after, changes }: PartitionCommit): Promise<void> {
    this.#checkpoint = after;
    for (const [table, some] of changes.flatMap(({ rows }) => [...rows]))
      for (const row of some) this.rows.push([table, row]);
    return Promise.resolve();
  }

  readPlaces(): Promise<ReadonlyMap<number, Pick<PartitionCheckpoint, 'nextOffset' | 'generation'>>> {
    return Promise.resolve(new Map([[0, this.#checkpoint]]));
  }
}

interface Ranked {
  readonly rows: readonly string[];
  readonly effects: readonly EffectMessage[];
}

/** A log whose users are all in one partition, applied by the services of this process. */
class Topology {
  readonly #log: readonly RecordedEvent[];

  constructor(log: readonly RecordedEvent[]) {
    this.#log = log;
  }

  /** What the last service of the user sends. @param routes in the form of one release or another */
  async toBoards(routes: Routes): Promise<readonly OutgoingMessage[]> {
    const sent: OutgoingMessage[] = [];
    const messages = [...recordedUserEvents(this.#log)].map(({ record }, offset): StreamMessage => ({
      offset,
      key: '',
      value: encodeStreamed({ kind: 'record', trail: [], message: newMessage(record) }),
      headers: headersOf({ source: 0, sequence: offset + 1 }),
    }));
    const projection = new UserProjection({
      areasBySchema: [USER_AREAS],
      partition: 0,
      readStates: () => Promise.resolve(new Map()),
      cachedUserBytes: 100_000_000,
    });
    await this.#apply(messages, projection, routes, new MemoryStore(), (some) => sent.push(...some));
    return sent;
  }

  /** What the boards of all partitions make of these messages. */
  async boards(messages: readonly OutgoingMessage[]): Promise<Ranked> {
    const rows: (readonly [string, Row])[] = [];
    const effects: EffectMessage[] = [];
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const topic = messages
        .filter((message) => message.partition === partition)
        .map(({ key, value, headers }, offset): StreamMessage => ({ offset, key, value, headers }));
      const store = new MemoryStore();
      const boards = new OwnedBoards(NOTHING, PARTITIONS).openProjection(partition);
      await this.#apply(topic, boards, toCallers(PARTITIONS), store, (some) =>
        effects.push(...some.map(({ value }) => decodeEffect(value))),
      );
      expect(store.checkpoint.received.get(0) ?? 0).toBe(topic.length);
      rows.push(...store.rows);
    }
    return { rows: sorted(rows), effects };
  }

  async #apply(
    messages: readonly StreamMessage[],
    projection: PartitionProjection,
    routes: Routes,
    store: MemoryStore,
    send: (messages: readonly OutgoingMessage[]) => void,
  ): Promise<void> {
    if (messages.length === 0) return;
    const published = publicationsIn(this.#log).map((publication) => ({ account: 'default', ...publication }));
    const worker = new PartitionWorker({
      partition: 0,
      store,
      publications: new Publications(compileHistory, () => Promise.resolve(published)),
      openProjection: () => projection,
      routes,
      dataKeys: new MemoryDataKeys(),
      producer: { send: (some) => Promise.resolve(send(some)) },
      sendEffects: (some) => void (routes.topic === null && send(some)),
      counts: { records: 0, configurations: 0, repeated: 0, batches: 0, sent: 0, effects: 0 },
    });
    await worker.onBatch({ messages, end: messages.length });
  }
}

/** Counts stand apart for each partition, and reads add them up: no run is in two. */
const rowText = ([table, { partition: _, ...row }]: readonly [string, Row]): string =>
  JSON.stringify([table, Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))]);

const sorted = (rows: readonly (readonly [string, Row])[]): readonly string[] => rows.map(rowText).sort();

const contributions = fanOut(TOPICS.points, PARTITIONS);

/** As services before schema 3 sent it: the whole record to each partition of boards. */
const records: Routes = {
  ...contributions,
  record: (applied) =>
    contributions.record(applied).map(({ partition, key }) => ({
      partition,
      key,
      streamed: { kind: 'record', message: applied.message, trail: applied.trail },
    })),
};

const asSchema2 = (message: OutgoingMessage): OutgoingMessage => ({
  ...message,
  headers: { ...message.headers, 'laurel-schema': '2' },
});

const identityOf = ({ partition, key, headers }: OutgoingMessage) => [partition, key, headers['laurel-sequence']];

describe('leaderboards that receive contributions', () => {
  it('store and answer what those that receive records do, and what a single process stores', async () => {
    await fc.assert(
      fc.asyncProperty(lives, fc.nat(), async (steps, cut) => {
        const store = await live(steps, 7);
        const topology = new Topology(store.records);
        const sent = await topology.toBoards(contributions);
        const before = (await topology.toBoards(records)).map(asSchema2);
        expect(sent.map(identityOf)).toEqual(before.map(identityOf));

        const ranked = await topology.boards(sent);
        const rows = leaderboardTables.flatMap(({ name }) =>
          (store.rows.get(name) ?? []).map((row) => [name, row] as const),
        );
        expect(ranked.rows).toEqual(sorted(rows));
        expect(await topology.boards(before)).toEqual(ranked);
        const upgradedAt = cut % (sent.length + 1);
        expect(await topology.boards([...before.slice(0, upgradedAt), ...sent.slice(upgradedAt)])).toEqual(ranked);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('receive less than a tenth of the bytes', async () => {
    let [asRecords, asContributions, messages] = [0, 0, 0];
    for (const steps of fc.sample(lives, { seed: 14, numRuns: 24 })) {
      const topology = new Topology((await live(steps, 7)).records);
      const sent = await topology.toBoards(contributions);
      asRecords += bytesOf(await topology.toBoards(records));
      asContributions += bytesOf(sent);
      messages += sent.length;
    }
    expect(messages).toBeGreaterThan(300);
    expect(asContributions / messages).toBeLessThan(200);
    expect(asRecords / asContributions).toBeGreaterThan(10);
  }, 60_000);
});

const bytesOf = (messages: readonly OutgoingMessage[]): number =>
  messages.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
