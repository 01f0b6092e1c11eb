import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { LiveEntry, LiveReads } from '@laurel/contracts';
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
import { LiveFeed, type Watcher } from './live-feed.ts';

const EMPTY: LiveReads = {
  applied: () => Promise.resolve(0),
  head: () => Promise.resolve(0),
  behind: () => Promise.resolve({ records: [], position: 0 }),
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
  async function ask(count: number): Promise<{ client: Socket; server: Socket }> {
    const accepted = once(http.fastify.server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    const [server] = await accepted;
    const cookie = `laurel_session=${'a'.repeat(43)}`;
    client.write(`GET /admin/v1/live HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`.repeat(count));
    return { client, server };
  }
  async function leave({ client, server }: { client: Socket; server: Socket }): Promise<void> {
    const closed = new Promise<void>((done) => server.once('close', () => done()));
    client.destroy();
    await closed;
  }

  it('are free again when a client has gone', async () => {
    const asked = await ask(1);
    await feed.untilSeated(1);
    expect(feed.watchers).toBe(1);
    await leave(asked);
    expect(feed.watchers).toBe(0);
  });

  it('are not kept for a client that went while its session was looked up', async () => {
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

  it('are taken from a client that does not read, as soon as too much waits for it', async () => {
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

  it('are kept for a client that reads, however much comes', async () => {
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

  it('are free again when a client goes whose second request waited behind the first', async () => {
    const asked = await ask(2);
    await feed.untilSeated(2);
    expect(feed.watchers).toBe(2);
    await leave(asked);
    expect(feed.watchers).toBe(0);
  });
});
