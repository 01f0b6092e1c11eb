import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { LiveEntry, LiveReads } from '@laurel/ports';
import {
  createHttpApplication,
  createClock,
  createLogger,
  Health,
  type HttpApplication,
  type Principal,
} from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { ConsoleModule } from '../console-module.ts';
import type { ConsolePorts } from '../ports.ts';
import { LIVE_CURSOR } from './live-cursor.ts';
import { LiveFeed, type Watcher } from './live-feed.ts';

/** Up to where the log goes, and is applied. */
let head = 0;

/** A log of which no record is of a user. */
const EMPTY: LiveReads = {
  applied: () => Promise.resolve(head),
  head: () => Promise.resolve(head),
  behind: (_account, after, limit) => Promise.resolve({ records: [], position: Math.min(head, after + limit) }),
  newest: () => Promise.resolve({ records: [], skipped: 0, position: 0 }),
  count: () => Promise.resolve(0),
  before: () => Promise.resolve(0),
  entries: () => Promise.resolve([]),
};
/** What each message of the test holds. */
const BULK = 'x'.repeat(64 * 1024);
/** What it says is of no account here. */
const ENTRY = {} as LiveEntry;
const READER: Principal = { account: 'default', by: 'session', scopes: new Set(['read']) };

/** Counts who was seated. */
class CountingFeed extends LiveFeed {
  seated = 0;
  last: Watcher | null = null;
  readonly #waiting: (() => void)[] = [];

  override watch(watcher: Watcher): (() => void) | null {
    const leave = super.watch(watcher);
    this.seated++;
    this.last = watcher;
    // The controller goes on in this very turn.
    setImmediate(() => this.#waiting.splice(0).forEach((go) => go()));
    return leave;
  }

  async untilSeated(count: number): Promise<void> {
    while (this.seated < count) await new Promise<void>((go) => this.#waiting.push(go));
  }
}

describe('the seats of the live feed', () => {
  let feed: CountingFeed;
  let http: HttpApplication;
  let port: number;
  let findSession: () => Promise<Principal>;

  beforeEach(async () => {
    head = 0;
    findSession = () => Promise.resolve(READER);
    feed = new CountingFeed({
      reads: EMPTY,
      directory: { find: () => Promise.resolve(null) },
      clock: new ManualClock(),
      onFailure: () => undefined,
    });
    const sessions = { find: () => findSession(), isOpen: () => Promise.resolve(true) };
    const live = { feed, keys: { find: () => 'unknown' }, answer: () => BULK };
    http = await createHttpApplication({
      modules: [ConsoleModule.register({ live, sessions, publicUrl: null } as unknown as ConsolePorts)],
      keys: { find: () => 'unknown' },
      sessions: { sessions, publicUrl: null },
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('silent'),
    });
    await http.listen(0, '127.0.0.1');
    port = (http.fastify.server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    http.closeConnections();
    await http.close();
  });

  /** Asks `count` times on one connection. @returns both ends of it */
  async function ask(count: number, { header = '', query = '' } = {}): Promise<{ client: Socket; server: Socket }> {
    const accepted = once(http.fastify.server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    const [server] = await accepted;
    const cookie = `laurel_session=${'a'.repeat(43)}`;
    const request = `GET /admin/v1/live${query} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n${header}\r\n`;
    client.write(request.repeat(count));
    return { client, server };
  }
  async function leave({ client, server }: { client: Socket; server: Socket }): Promise<void> {
    const closed = new Promise<void>((done) => server.once('close', () => done()));
    client.destroy();
    await closed;
  }

  describe('and the messages to their clients', () => {
    /** What comes after the head of the answer, as it is on the wire, once `last` is among it. */
    async function untilSent(client: Socket, last: RegExp): Promise<string> {
      let body = '';
      for await (const chunk of client) {
        body += String(chunk);
        if (last.test(body)) return body.slice(body.indexOf('\r\n\r\n') + 4);
      }
      throw new Error(`the connection has ended without ${String(last)}`);
    }
    const idsIn = (sent: string) => sent.match(/^id: .*$/gm) ?? [];

    it('have an id with events and none for a resync', async () => {
      const { client } = await ask(1);
      await feed.untilSeated(1);
      feed.last?.send({ kind: 'events', entries: [], skipped: 0, position: 3 });
      feed.last?.send({ kind: 'resync' });
      feed.last?.send({ kind: 'quiet' });
      feed.last?.send({ kind: 'events', entries: [], skipped: 2, position: 9 });
      const sent = await untilSent(client, /"skipped":2/);
      expect(idsIn(sent)).toEqual([`id: ${LIVE_CURSOR.write(3)}`, `id: ${LIVE_CURSOR.write(9)}`]);
      expect(sent.match(/^event: .*$/gm)).toEqual(['event: events', 'event: resync', 'event: events']);
    });

    it('are a `resync` without an id when the client is too far behind, by header and by query', async () => {
      head = 5_000;
      for (const asked of [
        { header: `last-event-id: ${LIVE_CURSOR.write(7)}\r\n` },
        { query: `?after=${LIVE_CURSOR.write(7)}` },
      ]) {
        const { client } = await ask(1, asked);
        const sent = await untilSent(client, /event: resync\n[^]*\n\n/);
        expect([asked, idsIn(sent), sent.match(/^event: .*$/gm)]).toEqual([asked, [], ['event: resync']]);
      }
    });

    it('contain no `resync` when the client has missed little', async () => {
      head = 500;
      const { client } = await ask(1, { query: `?after=${LIVE_CURSOR.write(7)}` });
      await feed.untilSeated(1);
      await new Promise((go) => setImmediate(go));
      feed.last?.send({ kind: 'events', entries: [], skipped: 0, position: 8 });
      const sent = await untilSent(client, /event: events\n[^]*\n\n/);
      expect([idsIn(sent), sent.includes('resync')]).toEqual([[`id: ${LIVE_CURSOR.write(8)}`], false]);
    });
  });

  it('are free again when a client has left', async () => {
    const asked = await ask(1);
    await feed.untilSeated(1);
    expect(feed.watchers).toBe(1);
    await leave(asked);
    expect(feed.watchers).toBe(0);
  });

  it('are not kept for a client that left while its session was looked up', async () => {
    const lookups: ((found: Principal) => void)[] = [];
    const asking = new Promise<void>((begun) => {
      findSession = () => {
        begun();
        return new Promise((found) => lookups.push(found));
      };
    });
    const asked = await ask(1);
    await asking;
    await leave(asked);
    for (const found of lookups) found(READER);
    await feed.untilSeated(1);
    expect(feed.watchers).toBe(0);
  });

  it('are taken from a client that does not read, as soon as too much is queued', async () => {
    // Nobody listens to what comes, so nothing is taken off the connection.
    const { server } = await ask(1);
    await feed.untilSeated(1);
    let sent = 0;
    // Far more than the operating system holds for both ends.
    for (; sent < 1_000 && !server.destroyed; sent++) {
      feed.last?.send({ kind: 'events', entries: [ENTRY], skipped: 0, position: sent });
      await new Promise((go) => setImmediate(go));
    }
    expect([server.destroyed, sent > 4]).toEqual([true, true]);
    await new Promise((go) => setImmediate(go));
    expect(feed.watchers).toBe(0);
  });

  it('are kept for a client that reads, however much is sent', async () => {
    const { client, server } = await ask(1);
    await feed.untilSeated(1);
    let read = 0;
    client.on('data', ({ length }: Buffer) => (read += length));
    for (let sent = 1; sent <= 200; sent++) {
      feed.last?.send({ kind: 'events', entries: [ENTRY], skipped: 0, position: sent });
      while (read < sent * BULK.length && !server.destroyed) await new Promise((go) => setImmediate(go));
    }
    expect([server.destroyed, feed.watchers]).toEqual([false, 1]);
  });

  it('are free again when a client leaves whose second request was queued', async () => {
    const asked = await ask(2);
    await feed.untilSeated(2);
    expect(feed.watchers).toBe(2);
    await leave(asked);
    expect(feed.watchers).toBe(0);
  });
});
