import { DEMO_CONFIGURATION } from '@laurel/configuration';
import { createClock } from '@laurel/runtime';
import { clientConfig } from '@laurel/database';
import type { TestDatabase } from '@laurel/testing/database';
import { Client } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import pg from 'pg';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const NOW = Date.parse('2026-03-02T20:00:00Z');
const BATCH = 'application/cloudevents-batch+json';

let database: TestDatabase;
let served: Served;
const client = new Client(() => served);

beforeAll(async () => {
  database = await openServiceDatabase();
  const clock = createClock({ type: 'frozen', at: NOW });
  served = await serveInProcess(database.connection, `${DEMO_CONFIGURATION}\noutgoing: { events: all }\n`, clock);
  for (const id of ['ada', 'bob', 'ada'])
    await client.send('POST', '/v1/metrics/lessons/event', { body: { user: { id }, value: 1 } });
  await served.service.outcomeReader.catchUp();
});
afterAll(async () => {
  await served.close();
  await database.close();
});

async function read(query: string, accept = 'application/x-ndjson') {
  const response = await fetch(`${served.baseUrl}/admin/v1/outcomes${query}`, {
    headers: { 'x-api-key': served.apiKey, accept },
  });
  const { status, headers } = response;
  const [cursor, head] = [headers.get('laurel-cursor'), headers.get('laurel-head')];
  return { status, type: headers.get('content-type'), cursor, head, text: await response.text() };
}

const linesOf = (text: string) => text.split('\n').slice(0, -1);

describe('GET /admin/v1/outcomes', () => {
  it('returns the same outcomes in pages of any size', async () => {
    const all = await read('?limit=1000');
    expect([all.status, all.type]).toEqual([200, expect.stringContaining('application/x-ndjson')]);
    const lines = linesOf(all.text);
    expect(lines.map((line) => JSON.parse(line).sequence)).toEqual(lines.map((_, index) => index + 1));
    expect(all.cursor).toBe(String(lines.length));
    for (const limit of [1, 2, 3]) {
      const steps: string[] = [];
      for (let query = `?limit=${limit}`; ;) {
        const { text, cursor } = await read(query);
        if (text === '') break;
        steps.push(...linesOf(text));
        query = `?limit=${limit}&after=${cursor}`;
      }
      expect(steps).toEqual(lines);
    }
  });

  it('stops at the head that was read first, however many outcomes follow', async () => {
    const { head, text } = await read('?limit=1');
    const before = linesOf((await read('?limit=1000')).text);
    expect(head).toBe(String(before.length));
    await client.send('POST', '/v1/metrics/lessons/event', { body: { user: { id: 'later' }, value: 1 } });
    await served.service.outcomeReader.catchUp();
    const steps = linesOf(text);
    for (let cursor = '1'; cursor !== head;) {
      const page = await read(`?limit=2&after=${cursor}&until=${head}&wait=30`);
      steps.push(...linesOf(page.text));
      cursor = page.cursor ?? head ?? '';
    }
    expect(steps).toEqual(before);
    expect(await read(`?after=${head}&until=${head}&wait=30`)).toMatchObject({ text: '', cursor: head });
    expect(await read(`?until=1&types=streak.lost`)).toMatchObject({ text: '', cursor: '1' });
  });

  it('filters by type and moves the cursor past omitted outcomes', async () => {
    const { text, cursor } = await read('?types=streak.started,user.created');
    expect(linesOf(text).map((line) => JSON.parse(line).type)).toEqual(
      expect.arrayContaining(['streak.started', 'user.created']),
    );
    expect(cursor).toBe((await read('?limit=1000')).cursor);
    expect(await read('?types=streak.lost')).toMatchObject({ text: '', cursor });
  });

  it('returns CloudEvents when the client asks for them', async () => {
    const lines = linesOf((await read('?limit=1000')).text);
    const { type, text } = await read('?limit=1000', BATCH);
    expect(type).toContain(BATCH);
    const events = JSON.parse(text);
    expect(events.map(({ data }: { data: unknown }) => data)).toEqual(lines.map((line) => JSON.parse(line)));
    expect(events.find(({ data }: { data: { type: string } }) => data.type === 'user.created')).toMatchObject({
      ...{ specversion: '1.0', source: '/accounts/default', type: 'laurel.user.created.v1', subject: 'ada' },
    });
  });

  it('waits for new outcomes', async () => {
    const { cursor } = await read('?limit=1000');
    const waiting = read(`?after=${cursor}&wait=30&types=user.created`);
    await client.send('POST', '/v1/metrics/lessons/event', { body: { user: { id: 'eve' }, value: 1 } });
    const { text } = await waiting;
    expect(linesOf(text).map((line) => JSON.parse(line).user.id)).toEqual(['eve']);
  });

  it('includes outcomes of imported events while an import opened with outgoing is open', async () => {
    const imported = async (id: string, options: object | null) => {
      const { cursor } = await read('?limit=1000');
      if (options !== null) await client.send('POST', '/admin/v1/imports', { body: options });
      await client.import('lessons', id, 1, '2026-03-01T09:00:00Z');
      const { json } = await client.send('GET', '/admin/v1/imports');
      await client.send('POST', '/admin/v1/imports/finish', { body: {} });
      await served.service.outcomeReader.catchUp();
      const lines = linesOf((await read(`?limit=1000&after=${cursor}`)).text).map((line) => JSON.parse(line));
      const types: string[] = lines.map(({ type }) => type);
      return { outgoing: json.open.outgoing, types };
    };
    const silent = { outgoing: false, types: ['import.finished'] };
    expect(await imported('ann', null)).toEqual(silent);
    expect(await imported('ben', { outgoing: true })).toEqual({
      outgoing: true,
      types: expect.arrayContaining(['user.created', 'streak.started', 'points.changed', 'import.finished']),
    });
    expect(await imported('cay', {})).toEqual(silent);
    expect(await imported('dan', null)).toEqual(silent);
  });

  it('refuses expired and future cursors and unknown parameter values', async () => {
    expect((await read('?after=1000')).status).toBe(422);
    const wrong = await read('?after=x&until=y&limit=1001&wait=31&types=streak.at_rest');
    expect(JSON.parse(wrong.text).errors.map(({ path }: { path: string }) => path)).toEqual([
      ...['after', 'until', 'limit', 'wait', 'types'],
    ]);
    await database.sql.query('update outcome_cursors set deleted_to = 2', []);
    const gone = await read('?after=1');
    expect([gone.status, JSON.parse(gone.text)]).toEqual([
      410,
      expect.objectContaining({ code: 'cursor_expired', detail: expect.stringContaining('the oldest cursor is 2') }),
    ]);
    expect((await read('?after=2')).status).toBe(200);
  });
});

describe('reads below /admin', () => {
  const READERS = 16;
  let holder: pg.Client;
  beforeAll(async () => {
    holder = new pg.Client(clientConfig(database.connection));
    await holder.connect();
  });
  afterAll(() => holder.end());

  /** Statements of the service that wait for a lock, by who opened the connection. */
  const blocked = async () => {
    const rows = await database.sql.query<{ application: string; statements: string }>(
      `select application_name as application, count(*) as statements from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' group by 1`,
      [],
    );
    return Object.fromEntries(rows.map(({ application, statements }) => [application, Number(statements)]));
  };

  it('use the console pool for the log, also while they wait', async () => {
    const { headers } = await client.send('GET', '/admin/v1/events?limit=1000');
    const behind = headers.get('laurel-cursor') ?? '';
    expect((await client.send('GET', `/admin/v1/events?after=${behind}&types=UserErased&wait=1`)).status).toBe(200);
    const rows = await database.sql.query<{ application: string }>(
      `select distinct application_name as application from pg_stat_activity
       where datname = current_database() and query ~ 'from events where position > .* and type = any' and pid <> pg_backend_pid()`,
      [],
    );
    expect(rows).toEqual([{ application: 'laurel-console' }]);
  });

  it('use at most two connections, and none of those for applications', async () => {
    const { json } = await client.send('POST', '/admin/v1/webhooks', { body: { url: 'http://127.0.0.1:9/' } });
    await client.send('POST', `/admin/v1/webhooks/${json.id}/disable`, { body: {} });
    const list = `/admin/v1/webhooks/${json.id}/deliveries`;
    await holder.query('begin; lock table webhook_deliveries');
    let isLocked = true;
    const readers = Array.from({ length: READERS }, async () => {
      const statuses = new Set<number>();
      while (isLocked) statuses.add((await client.send('GET', list)).status);
      return [...statuses];
    });
    while ((await blocked())['laurel-console'] !== 2) await new Promise((resolve) => setImmediate(resolve));
    const asked = Array.from({ length: READERS }, (_, index) =>
      index % 2 === 0
        ? client.send('GET', '/v1/users/ada')
        : client.send('POST', '/v1/metrics/lessons/event', { body: { user: { id: `new ${index}` }, value: 1 } }),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(
      asked.map((_, index) => (index % 2 === 0 ? 200 : 201)),
    );
    expect((await blocked())['laurel-console'] ?? 0).toBeLessThanOrEqual(2);
    isLocked = false;
    await holder.query('rollback');
    for (const statuses of await Promise.all(readers))
      for (const status of statuses) expect([200, 503]).toContain(status);
    expect((await client.send('GET', list)).status).toBe(200);
  });
});
