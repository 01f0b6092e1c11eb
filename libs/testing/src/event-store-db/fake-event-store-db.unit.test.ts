import {
  ANY,
  BACKWARDS,
  END,
  EventStoreDBClient,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  StreamNotFoundError,
  UnavailableError,
  WrongExpectedVersionError,
  jsonEvent,
  streamNameFilter,
  type AppendExpectedRevision,
  type Position,
} from '@eventstore/db-client';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeEventStoreDb, type FakeEventStoreDb, type FakeEventStoreDbOptions } from './fake-event-store-db.ts';

let server: FakeEventStoreDb;
const clients: EventStoreDBClient[] = [];

beforeEach(async () => {
  server = await startFakeEventStoreDb();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
  await server.stop();
});

/** The client's two ways to append: single calls, and one stream of batches. */
describe.each(['single calls', 'batches'] as const)('appending by %s', (way) => {
  const connect = (): EventStoreDBClient => clientOf(server.url, way === 'batches');

  it('uses the expected calls of the protocol', async () => {
    await connect().appendToStream('s', event());
    expect(server.calls).toMatchObject(
      way === 'batches' ? { append: 0, batchAppend: 1 } : { append: 1, batchAppend: 0 },
    );
  });

  it('creates a new stream only once', async () => {
    const client = connect();
    await client.appendToStream('s', event(), { expectedRevision: NO_STREAM });
    const refused = client.appendToStream('s', event(), { expectedRevision: NO_STREAM });
    await expect(refused).rejects.toMatchObject({ expectedVersion: 'no_stream', actualVersion: 0n });
    await expect(refused).rejects.toBeInstanceOf(WrongExpectedVersionError);
    expect(server.log.stream('s')).toHaveLength(1);
  });

  it('refuses any revision other than the present one', async () => {
    const client = connect();
    await client.appendToStream('s', [event(), event()]);
    for (const expectedRevision of [0n, 2n] as const)
      await expect(client.appendToStream('s', event(), { expectedRevision })).rejects.toBeInstanceOf(
        WrongExpectedVersionError,
      );
    await expect(client.appendToStream('new', event(), { expectedRevision: STREAM_EXISTS })).rejects.toMatchObject({
      expectedVersion: 'stream_exists',
      actualVersion: 'no_stream',
    });
    const appended = await client.appendToStream('s', event(), { expectedRevision: 1n });
    expect(appended).toMatchObject({ success: true, nextExpectedRevision: 2n });
  });

  it.each<[string, AppendExpectedRevision]>([
    ['a new stream', NO_STREAM],
    ['an explicit revision', 0n],
  ])(
    'answers a repeated event at the same revision with its position, for ever: %s',
    async (_name, expectedRevision) => {
      const client = connect();
      if (expectedRevision === 0n) await client.appendToStream('s', event());
      const once = event();
      const first = await client.appendToStream('s', once, { expectedRevision });
      for (let others = 0; others < 30; others++) await client.appendToStream('other', event());
      await client.appendToStream('s', event());
      expect(await client.appendToStream('s', once, { expectedRevision })).toEqual(first);
      expect(server.log.stream('s').filter(({ id }) => id === once.id)).toHaveLength(1);
    },
  );

  it('answers a repeated append of several events after the same revision with the position of the last', async () => {
    const client = connect();
    const [one, two, three] = [event(), event(), event()];
    const first = await client.appendToStream('s', [one, two], { expectedRevision: NO_STREAM });
    expect(await client.appendToStream('s', [one, two], { expectedRevision: NO_STREAM })).toEqual(first);
    for (const others of [
      [two, one],
      [one, three],
      [one, two, three],
    ])
      await expect(client.appendToStream('s', others, { expectedRevision: NO_STREAM })).rejects.toThrow();
    expect(server.log.stream('s')).toHaveLength(2);
  });

  it('recognizes a repeated event at any revision only for a while', async () => {
    const client = connect();
    const once = event();
    await client.appendToStream('s', once, { expectedRevision: ANY });
    await client.appendToStream('s', once, { expectedRevision: ANY });
    expect(server.log.stream('s')).toHaveLength(1);
    for (let others = 0; others < 30; others++) await client.appendToStream('other', event());
    await client.appendToStream('s', once, { expectedRevision: ANY });
    expect(server.log.stream('s')).toHaveLength(2);
  });

  it('answers with the position of the event in $all', async () => {
    const client = connect();
    const { position } = await client.appendToStream('s', event());
    const last = (await read(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })))[0];
    expect(last).toMatchObject({ streamId: 's', position });
  });

  it('fails before or after storing the event, as planned by a test', async () => {
    for (const [fault, kept] of [
      ['cut-before', 0],
      ['cut-after', 1],
    ] as const) {
      server.failNext('append', [fault]);
      const stream = `s-${fault}`;
      await expect(connect().appendToStream(stream, event())).rejects.toBeInstanceOf(UnavailableError);
      expect(server.log.stream(stream)).toHaveLength(kept);
      await connect().appendToStream(stream, event());
      expect(server.log.stream(stream)).toHaveLength(kept + 1);
    }
  });
});

describe('appending by single calls', () => {
  it.each([
    ['refused', 0, UnavailableError],
    ['lost', 1, UnavailableError],
  ] as const)('fails with an answer as well (%s)', async (fault, kept, error) => {
    server.failNext('append', [fault]);
    await expect(clientOf(server.url).appendToStream('s', event())).rejects.toBeInstanceOf(error);
    expect(server.log.stream('s')).toHaveLength(kept);
  });

  it.each([
    ['silent-before', 0],
    ['silent-after', 1],
  ] as const)('can be left without an answer (%s)', async (fault, kept) => {
    server.failNext('append', [fault]);
    const unanswered = clientOf(server.url).appendToStream('s', event(), { deadline: 500 });
    await expect(unanswered).rejects.toMatchObject({ type: 'deadline-exceeded' });
    expect(server.log.stream('s')).toHaveLength(kept);
  });

  it('can be answered without a position', async () => {
    server.failNext('append', ['placeless']);
    expect((await clientOf(server.url).appendToStream('s', event())).position).toBeUndefined();
  });

  it('refuses events larger than a server accepts', async () => {
    const large = jsonEvent({ type: 'large', data: { text: 'x'.repeat(1024 * 1024) } });
    await expect(clientOf(server.url).appendToStream('s', large)).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
    });
  });
});

describe('reading a stream', () => {
  it('returns it as it was appended, forwards and backwards, from any revision', async () => {
    const client = clientOf(server.url);
    const events = [0, 1, 2, 3].map((n) =>
      jsonEvent({ type: `t${n}`, data: { n, text: 'ключ \u{1F33F}' }, metadata: { n } }),
    );
    await client.appendToStream('s', events);
    const all = await read(client.readStream('s'));
    expect(all.map(({ id, type, data, metadata, revision }) => ({ id, type, data, metadata, revision }))).toEqual(
      events.map(({ id, type, data, metadata }, n) => ({ id, type, data, metadata, revision: BigInt(n) })),
    );
    const numbers = async (options: object): Promise<bigint[]> =>
      (await read(client.readStream('s', options))).map(({ revision }) => revision as bigint);
    expect(await numbers({ fromRevision: 1n, maxCount: 2 })).toEqual([1n, 2n]);
    expect(await numbers({ fromRevision: 7n })).toEqual([]);
    expect(await numbers({ direction: BACKWARDS, fromRevision: END, maxCount: 2 })).toEqual([3n, 2n]);
    expect(await numbers({ direction: BACKWARDS, fromRevision: 1n })).toEqual([1n, 0n]);
    expect(await numbers({ fromRevision: END })).toEqual([]);
  });

  it('fails if there is none', async () => {
    await expect(read(clientOf(server.url).readStream('none'))).rejects.toBeInstanceOf(StreamNotFoundError);
  });

  it.each([true, false])('returns positions only if the server is configured so: %s', async (positionsInStreams) => {
    await restart({ positionsInStreams });
    const client = clientOf(server.url);
    const { position } = await client.appendToStream('s', event());
    const [kept] = await read(client.readStream('s'));
    expect(kept?.position).toEqual(positionsInStreams ? position : { commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n });
  });

  it('fails as planned by a test', async () => {
    server.failNext('read', ['refused', 'cut-before']);
    for (let call = 0; call < 2; call++)
      await expect(read(clientOf(server.url).readStream('none'))).rejects.toBeInstanceOf(UnavailableError);
  });
});

describe('reading everything', () => {
  it("returns one order, with gaps between positions and the server's own events in between", async () => {
    const client = clientOf(server.url);
    for (let n = 0; n < 12; n++) await client.appendToStream(`s${n % 3}`, event());
    const all = await read(client.readAll());
    const commits = all.map(({ position }) => (position as Position).commit);
    expect(commits).toEqual([...new Set(commits)].sort((a, b) => Number(a - b)));
    expect(commits.some((commit, index) => index > 0 && commit - (commits[index - 1] ?? 0n) > 1n)).toBe(true);
    const system = all.map(({ streamId }) => streamId.startsWith('$'));
    expect(system.slice(system.indexOf(false), system.lastIndexOf(false))).toContain(true);
    expect(await read(client.readAll({ direction: BACKWARDS, fromPosition: END }))).toEqual([...all].reverse());
  });

  it('starts with the event at a position forwards, and before it backwards', async () => {
    const client = clientOf(server.url);
    await client.appendToStream('s', [event(), event(), event()]);
    const all = await read(client.readAll());
    const fromPosition = all.at(-2)?.position as Position;
    expect(await read(client.readAll({ fromPosition, maxCount: 1 }))).toEqual(all.slice(-2, -1));
    expect(await read(client.readAll({ fromPosition, direction: BACKWARDS, maxCount: 1 }))).toEqual(all.slice(-3, -2));
    expect(await read(client.readAll({ fromPosition: START, maxCount: 2 }))).toEqual(all.slice(0, 2));
    expect(await read(client.readAll({ fromPosition: END }))).toEqual([]);
  });

  it('cannot start where no event starts', async () => {
    const client = clientOf(server.url);
    const { position } = await client.appendToStream('s', event());
    const fromPosition = { commit: (position as Position).commit + 1n, prepare: (position as Position).commit + 1n };
    await expect(read(client.readAll({ fromPosition }))).rejects.toThrow('no event begins');
  });
});

describe('a subscription to everything', () => {
  it('gives the events after its position in the requested streams, then appended ones', async () => {
    const client = clientOf(server.url);
    const { position: before } = await client.appendToStream('mine-a', event());
    const later = [event(), event(), event()] as const;
    await client.appendToStream('mine-b', later[0]);
    await client.appendToStream('other', event());
    const seen: string[] = [];
    let confirmed = false;
    const subscription = client
      .subscribeToAll({ fromPosition: before as Position, filter: streamNameFilter({ prefixes: ['mine-'] }) })
      .on('confirmation', () => (confirmed = true))
      .on('data', ({ event: one }) => seen.push(one?.id ?? ''));
    await until(() => seen.length === 1);
    await client.appendToStream('other', event());
    await client.appendToStream('mine-a', [later[1], later[2]]);
    await until(() => seen.length === 3);
    expect(seen).toEqual(later.map(({ id }) => id));
    expect(confirmed).toBe(true);
    await subscription.unsubscribe();
  });

  it('fails when its connection is cut', async () => {
    const client = clientOf(server.url);
    const subscription = client.subscribeToAll({ fromPosition: END });
    const failure = once(subscription, 'error');
    subscription.on('confirmation', () => server.cut());
    expect((await failure)[0]).toBeInstanceOf(UnavailableError);
  });
});

describe('an event store in a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-fake-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('survives a restart, without what a killed server had partly written', async () => {
    const file = join(folder, 'events.ndjson');
    await restart({ file });
    const once = event();
    const first = await clientOf(server.url).appendToStream('s', once, { expectedRevision: NO_STREAM });
    const before = await read(clientOf(server.url).readAll());
    await server.stop();
    await appendFile(file, '{"id":"half');
    await restart({ file });
    expect(await read(clientOf(server.url).readAll())).toEqual(before);
    expect(await clientOf(server.url).appendToStream('s', once, { expectedRevision: NO_STREAM })).toEqual(first);
    await clientOf(server.url).appendToStream('s', event(), { expectedRevision: 0n });
    await restart({ file });
    expect(server.log.stream('s')).toHaveLength(2);
  });

  it('can be served by a process of its own, which may be killed', async () => {
    const file = join(folder, 'events.ndjson');
    const sibling = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
    const start = async () => {
      const loader = sibling('../typescript-loader.mjs');
      const child = spawn(
        process.execPath,
        ['--conditions=@laurel/source', '--import', loader, sibling('fake-event-store-db-process.ts'), '0', file],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      return { child, url: line.toString().trim() };
    };
    const first = await start();
    expect(first.url).toMatch(/^esdb:\/\/127\.0\.0\.1:\d+\?tls=false$/);
    await clientOf(first.url).appendToStream('s', event());
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await start();
    expect(await read(clientOf(second.url).readStream('s'))).toHaveLength(1);
    second.child.kill('SIGTERM');
    expect((await once(second.child, 'exit'))[0]).toBe(0);
  });
});

async function restart(options: Partial<FakeEventStoreDbOptions>): Promise<void> {
  for (const client of clients.splice(0)) await client.dispose();
  await server.stop();
  server = await startFakeEventStoreDb(options);
}

/** A new client each time: what one keeps of a connection that was cut is not what is tested here. */
function clientOf(url: string, batches = false): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  if (!batches) Object.assign(client, { supports: () => Promise.resolve(false) });
  clients.push(client);
  return client;
}

const event = () => jsonEvent({ id: randomUUID(), type: 'happened', data: { a: 1 } });

interface ReadEvent {
  readonly id: string;
  readonly streamId: string;
  readonly type: string;
  readonly revision: bigint;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly position?: Position;
}

async function read(reading: AsyncIterable<{ event?: unknown }>): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const { event: one } of reading) events.push(one as ReadEvent);
  return events;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
