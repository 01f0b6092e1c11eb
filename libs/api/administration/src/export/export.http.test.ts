import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailableError } from '@laurel/kernel';
import { jsonAmount, type ExportedEvent, type Problem } from '@laurel/schemas';
import { parseAmount } from '@laurel/amounts';
import { createHttpApplication, createLogger, generateApiKey, Health, type HttpApplication } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { AdministrationModule } from '../administration-module.ts';
import type { AdministrationPorts, Exports } from '../ports.ts';

const KEY = generateApiKey();
const HEADERS = { 'x-api-key': KEY };
const EVENTS = '/admin/v1/export/events';

const event = (id: number, rest: Partial<ExportedEvent> = {}): ExportedEvent => ({
  id: `00000000-0000-7000-8000-${String(id).padStart(12, '0')}`,
  timestamp: '2026-03-02T20:00:00.000Z',
  recordedAt: '2026-03-02T20:00:00.001Z',
  userId: 'ada',
  metric: 'lessons',
  value: jsonAmount(parseAmount('2.50')),
  attributes: {},
  imported: false,
  configurationVersion: 1,
  ...rest,
});

/** Hands out pages and counts them. */
class Source {
  read = 0;
  isLeft = false;
  ranges: unknown[] = [];
  readonly #pages: (number: number) => readonly ExportedEvent[] | null;

  constructor(pages: (number: number) => readonly ExportedEvent[] | null) {
    this.#pages = pages;
  }

  async *events(_account: string, range: unknown): AsyncGenerator<readonly ExportedEvent[], void> {
    this.ranges.push(range);
    try {
      for (;;) {
        const page = await Promise.resolve(this.#pages(this.read));
        if (page === null) return;
        this.read++;
        yield page;
      }
    } finally {
      this.isLeft = true;
    }
  }
}

/** Turns of the event loop in which nothing more is read once all that stands between source and reader is full. */
const QUIET_TURNS = 50;

/** Waits until the service reads no more of the source. Turns are counted, not time: a slow machine takes longer. @returns the pages read */
async function pagesUntilFull(source: Source): Promise<number> {
  let read = -1;
  for (let quiet = 0; quiet < QUIET_TURNS; await pause(5)) {
    quiet = source.read === read ? quiet + 1 : 0;
    read = source.read;
  }
  return read;
}

const large = (number: number) => [event(number, { attributes: { text: 'x'.repeat(1024 * 1024) } })];

describe('an export', () => {
  let http: HttpApplication;
  let url: string;
  let clock: ManualClock;
  const open = async (source: Source, scope: 'export' | 'admin' = 'export') => {
    clock = new ManualClock();
    const exports = source as unknown as Exports;
    http = await createHttpApplication({
      modules: [AdministrationModule.register({ exports } as AdministrationPorts)],
      keys: { find: () => ({ account: 'default', by: 'the-key', scopes: new Set([scope]) }) },
      health: new Health(clock),
      logger: createLogger('silent'),
      clock,
    });
    url = await http.listen(0, '127.0.0.1');
  };
  afterEach(async () => {
    http.closeConnections();
    await http.close();
  });

  const begin = (path = EVENTS): Promise<IncomingMessage> =>
    new Promise((resolve, reject) =>
      get(`${url}${path}`, { headers: HEADERS, agent: false }, resolve).on('error', reject),
    );

  it('has one JSON line per row', async () => {
    const rows = [event(1), event(2, { userId: null, attributes: { '=1': 'a,"b"' } })];
    await open(new Source((number) => (number % 3 === 2 ? null : [rows[number % 3] as ExportedEvent])));
    const json = await fetch(`${url}${EVENTS}`, { headers: HEADERS });
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = (await json.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { ...rows[0], value: 2.5 },
      { ...rows[1], value: 2.5 },
    ]);
  });

  it('has CSV rows with a header, also when there are none', async () => {
    const columns = 'id,timestamp,recordedAt,userId,metric,value,attributes,imported,configurationVersion\r\n';
    const at = '2026-03-02T20:00:00.000Z,2026-03-02T20:00:00.001Z';
    await open(new Source((number) => (number === 1 ? null : [event(1, { userId: '=1', attributes: { a: 'b' } })])));
    const csv = await fetch(`${url}${EVENTS}?format=csv`, { headers: HEADERS });
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="events.csv"');
    expect(await csv.text()).toBe(`${columns}${event(1).id},${at},'=1,lessons,2.5,"{""a"":""b""}",false,1\r\n`);
    expect(await (await fetch(`${url}${EVENTS}?format=csv`, { headers: HEADERS })).text()).toBe(columns);
  });

  it('reads no faster than its client', async () => {
    const source = new Source((number) => (number === 1_000 ? null : large(number)));
    await open(source);
    const response = await begin();
    response.pause();
    // What the two ends of a connection hold, in the system and in Node.
    const before = await pagesUntilFull(source);
    expect(before).toBeLessThan(40);
    response.resume();
    while (source.read < before + 100) await once(response, 'data');
    expect(source.isLeft).toBe(false);
    response.destroy();
    while (!source.isLeft) await pause(10);
    expect(source.read).toBeLessThan(1_000);
  });

  it('is cut off when its client reads nothing for two minutes', async () => {
    const source = new Source((number) => (number === 1_000 ? null : large(number)));
    await open(source);
    const response = await begin();
    response.pause();
    await pagesUntilFull(source);
    await clock.advance(119_000);
    expect(source.isLeft).toBe(false);
    await clock.advance(2_000);
    while (!source.isLeft) await pause(10);
    expect(source.read).toBeLessThan(1_000);
  });

  it.each(['ndjson', 'csv'])(
    'cuts the connection when it fails halfway, so nobody mistakes a part for the whole: %s',
    async (format) => {
      const source = new Source((number) => {
        if (number === 3) throw new StoreUnavailableError('the database is away');
        return [event(number)];
      });
      await open(source);
      const response = await fetch(`${url}${EVENTS}?format=${format}`, { headers: HEADERS });
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
      expect(source.read).toBe(3);
    },
  );

  it('answers with an error when it fails before the first row', async () => {
    await open(
      new Source(() => {
        throw new StoreUnavailableError('the database is away');
      }),
    );
    for (const format of ['ndjson', 'csv']) {
      const response = await fetch(`${url}${EVENTS}?format=${format}`, { headers: HEADERS });
      expect([response.status, ((await response.json()) as Problem).code]).toEqual([503, 'unavailable']);
    }
  });

  it('is refused while eight others run, and admitted as soon as one has ended', async () => {
    const source = new Source((number) => (number === 10_000 ? null : large(number)));
    await open(source);
    const all = await Promise.all(Array.from({ length: 8 }, () => begin()));
    const refused = await fetch(`${url}${EVENTS}`, { headers: HEADERS });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    all[0]?.destroy();
    for (let status = 503; status !== 200;) {
      const response = await begin();
      status = response.statusCode ?? 0;
      response.destroy();
    }
    for (const response of all) response.destroy();
  });

  it('reads no rows for HEAD', async () => {
    const source = new Source(() => [event(1)]);
    await open(source);
    const response = await fetch(`${url}${EVENTS}`, { method: 'HEAD', headers: HEADERS });
    expect([response.status, source.read]).toEqual([200, 0]);
  });

  it('accepts dates in UTC and instants', async () => {
    const source = new Source(() => null);
    await open(source);
    for (const query of ['', '?from=2026-03-01&to=2026-04-01T12:00:00%2B02:00'])
      expect((await fetch(`${url}${EVENTS}${query}`, { headers: HEADERS })).status).toBe(200);
    expect(source.ranges).toEqual([
      { from: null, to: null },
      { from: Date.parse('2026-03-01T00:00:00Z'), to: Date.parse('2026-04-01T10:00:00Z') },
    ]);
  });

  it.each([
    ['events?from=yesterday&to=2026-02-30&format=xml', ['from', 'to', 'format']],
    ['awards?from=2026-03-02&to=2026-03-01', ['to']],
    ['rankings?from=2026-03-02&from=2026-03-01', ['from']],
    ['winners', ['leaderboard']],
    ['winners?leaderboard=a&run=first&limit=0&format=', ['run', 'limit', 'format']],
    ['winners?leaderboard=a&limit=1001', ['limit']],
  ])('refuses %s and names the invalid parameters', async (path, paths) => {
    await open(new Source(() => null));
    const response = await fetch(`${url}/admin/v1/export/${path}`, { headers: HEADERS });
    const { errors } = (await response.json()) as Problem;
    expect([response.status, errors?.map((item) => item.path)]).toEqual([422, paths]);
  });

  it('requires the scope export, which no other scope includes', async () => {
    await open(new Source(() => null), 'admin');
    expect((await fetch(`${url}${EVENTS}`, { headers: HEADERS })).status).toBe(403);
  });
});
