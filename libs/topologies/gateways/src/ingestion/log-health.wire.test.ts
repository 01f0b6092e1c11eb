import type { EventStore } from '@laurel/event-store';
import type { OpenSchema } from '@laurel/processes';
import { Health } from '@laurel/runtime';
import { EventLoopClock, systemClock } from '@laurel/testing/clock';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { startFakeEventStoreDb, type FakeEventStoreDb } from '@laurel/testing/event-store-db';
import { logHealth } from './log-health.ts';
import { openEventStore } from './open-event-store.ts';

const OPEN = { state: 'open', waiting: 0, stalledMs: 0 } as const;

let server: FakeEventStoreDb;
let store: EventStore | null = null;

beforeEach(async () => {
  server = await startFakeEventStoreDb();
});
afterEach(async () => {
  await store?.close();
  store = null;
  await server.stop();
});

/** The log of this installation is not in Postgres. */
const schema = { sql: { query: () => Promise.resolve([]) } } as unknown as OpenSchema;

/** The fake server runs in this process: a limit counts only while it can answer. */
const clock = new EventLoopClock();
const open = async () => (await openEventStore({ url: server.url, schema, clock, keys: new MemoryDataKeys() })).store;

describe('a gateway whose log is in EventStoreDB', () => {
  it('refuses to start without the right to read $all or to append, and says which', async () => {
    server.rights.mayReadAll = false;
    await expect(open()).rejects.toThrow('EventStoreDB denies its user the right to read $all');
    Object.assign(server.rights, { mayReadAll: true, mayAppend: false });
    await expect(open()).rejects.toThrow('EventStoreDB denies its user the right to append to streams laurel-2-*');
  });

  it('is not ready, with the reason, while a right is missing or the password has changed', async () => {
    store = await open();
    const opened = store;
    const health = new Health(systemClock);
    health.register('log', () => logHealth(opened, OPEN, clock));
    expect(await health.report()).toMatchObject({ ok: true, components: { log: { detail: { head: 0 } } } });
    server.rights.mayReadAll = false;
    const denied = { reason: 'EventStoreDB denies its user the right to read $all' };
    expect(await health.report()).toMatchObject({ ok: false, components: { log: { ok: false, detail: denied } } });
    server.rights.password = 'wrong';
    const unknown = { reason: 'EventStoreDB does not accept the user or the password' };
    expect(await health.report()).toMatchObject({ ok: false, components: { log: { ok: false, detail: unknown } } });
    Object.assign(server.rights, { mayReadAll: true, password: 'right' });
    expect(await health.report()).toMatchObject({ ok: true });
  });

  it('is ready while it searches for the end of the log among foreign events', async () => {
    const endless = { checkAccess: () => Promise.resolve(), head: () => new Promise<number>(() => undefined) };
    const health = new Health(systemClock);
    health.register('log', () => logHealth(endless, OPEN, systemClock));
    expect(await health.report()).toMatchObject({ ok: true, components: { log: { detail: { head: null } } } });
  });

  it('reports the end of the log, and fails when it cannot be read', async () => {
    const answering = { checkAccess: () => Promise.resolve(), head: () => Promise.resolve(42) };
    expect(await logHealth(answering, OPEN, systemClock)).toEqual({
      ok: true,
      detail: { queue: 'open', lane: 'open', head: 42 },
    });
    const away = () => Promise.reject(new Error('away'));
    await expect(logHealth({ ...answering, head: away }, OPEN, systemClock)).rejects.toThrow('away');
    await expect(logHealth({ ...answering, checkAccess: away }, OPEN, systemClock)).rejects.toThrow('away');
  });

  it('fails while appends wait for the log, even if it is readable', async () => {
    const answering = { checkAccess: () => Promise.resolve(), head: () => Promise.resolve(42) };
    expect(await logHealth(answering, { ...OPEN, state: 'waiting' }, systemClock)).toEqual({
      ok: false,
      detail: { queue: 'waiting', lane: 'waiting', head: 42 },
    });
  });
});
