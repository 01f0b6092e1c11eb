import type { Instant } from '@laurel/calendar';
import { LARGEST_DOCUMENT, type Publication } from '@laurel/configuration';
import type { Attribution } from '@laurel/kernel';
import { configurationPlan, configurationVersion, problem, publishedConfiguration, type Scope } from '@laurel/schemas';
import {
  createClock,
  createHttpApplication,
  createLogger,
  generateApiKey,
  hashApiKey,
  Health,
  type HttpApplication,
} from '@laurel/runtime';
import { MemoryDirectory } from '@laurel/testing/http-modules';
import { AdministrationModule } from '../administration-module.ts';
import type { AdministrationPorts } from '../ports.ts';
import { versionAnswer } from './configuration-answers.ts';
import { LiveConfigurations, type PublishingEngine } from './live-configurations.ts';

const ADMIN = generateApiKey();
const OTHER = generateApiKey();
const PATH = '/admin/v1/configurations';

const FIRST = { version: 1, metrics: [{ key: 'runs', name: 'Runs' }] };
const SECOND = {
  ...FIRST,
  leaderboards: [{ key: 'far', name: 'Far', rankBy: 'metric', metric: 'runs', start: '2026-01-01' }],
};

/** An engine that only publishes, each publication taking a turn of the event loop. */
class PublishOnly implements PublishingEngine {
  readonly #publications: Publication[] = [];
  publishing = 0;
  events = true;
  failing = false;

  publications(): readonly Publication[] {
    return [...this.#publications];
  }

  holdsEvents(): boolean {
    return this.events;
  }

  async publishConfiguration(_account: string, document: unknown, attribution: Attribution = {}): Promise<void> {
    this.publishing++;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failing) throw new Error('secret of the store');
    const last = this.#publications.at(-1)?.version ?? 0;
    const version = last > 0 && !this.events ? last : last + 1;
    if (version === last) this.#publications.pop();
    const publishedAt: Instant = Date.UTC(2026, 0, version);
    this.#publications.push({ version, document: structuredClone(document), publishedAt, ...attribution });
  }
}

const NOT_ASKED_HERE = {} as Omit<AdministrationPorts, 'configurations' | 'clock' | 'logger'>;

const files = {
  last: null as unknown,
  texts: new Map<number, string | null>(),
  lastPublished: () => Promise.resolve(files.last),
  record: (_account: string, document: unknown) => Promise.resolve(void (files.last = document)),
  textOf: (_account: string, { version }: { version: number }) => Promise.resolve(files.texts.get(version) ?? null),
  keepText: (_account: string, { version }: { version: number }, text: string | null) =>
    Promise.resolve(void files.texts.set(version, text)),
};

let engine: PublishOnly;
let http: HttpApplication;
let log: string[];

beforeEach(async () => {
  engine = new PublishOnly();
  await engine.publishConfiguration('default', FIRST);
  engine.publishing = 0;
  files.last = null;
  files.texts.clear();
  const clock = createClock({ type: 'frozen', at: 0 });
  const scopes = new Map<string, Scope>([
    [hashApiKey(ADMIN), 'admin'],
    [hashApiKey(OTHER), 'ingest'],
  ]);
  log = [];
  const logger = createLogger('info', { write: (line) => void log.push(line) });
  const ports = {
    configurations: new LiveConfigurations(engine, files, new MemoryDirectory()),
    clock,
    logger,
    ...NOT_ASKED_HERE,
  };
  http = await createHttpApplication({
    modules: [AdministrationModule.register(ports)],
    keys: {
      find: (hash) => {
        const scope = scopes.get(hash);
        return scope === undefined ? 'unknown' : { account: 'default', by: 'a-key', scopes: new Set([scope]) };
      },
    },
    health: new Health(clock),
    logger: createLogger('silent'),
    clock,
  });
});
afterEach(() => http.close());

async function ask(method: 'GET' | 'POST', path: string, sent: { body?: unknown; text?: string; key?: string } = {}) {
  const response = await http.fastify.inject({
    method,
    url: `${PATH}${path}`,
    headers: { 'x-api-key': sent.key ?? ADMIN, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { payload: sent.text ?? JSON.stringify(sent.body ?? {}) }),
  });
  return { status: response.statusCode, json: response.json() };
}

async function refused(status: number, code: string, asked: Promise<{ status: number; json: unknown }>) {
  const { status: answered, json } = await asked;
  expect({ status: answered, code: (json as { code: string }).code }).toEqual({ status, code });
  return problem.parse(json);
}

const post = (path: string, document: unknown) => ask('POST', path, { body: { document } });

it('the configuration API logs each publication, and nothing when nothing was published', async () => {
  await post('/plan', SECOND);
  expect((await post('', SECOND)).status).toBe(201);
  expect((await post('', SECOND)).status).toBe(200);
  const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toEqual([expect.objectContaining({ msg: 'configuration published', account: 'default', version: 2 })]);
});

it('the configuration API records, shows and logs the author and the reason of a publication', async () => {
  const asked = await ask('POST', '', { body: { document: SECOND, reason: 'a far board' } });
  expect(publishedConfiguration.parse(asked.json)).toMatchObject({ publishedBy: 'a-key', reason: 'a far board' });
  const { json } = await ask('GET', '');
  expect(configurationVersion.array().parse(json)).toMatchObject([
    { version: 1, publishedBy: null, reason: null },
    { version: 2, publishedBy: 'a-key', reason: 'a far board' },
  ]);
  expect(log.map((line) => JSON.parse(line) as object)).toMatchObject([{ by: 'a-key', reason: 'a far board' }]);
});

it.each(['', 'x'.repeat(1_001), 7])(
  'the configuration API refuses an invalid reason and publishes nothing',
  async (reason) => {
    const asked = ask('POST', '', { body: { document: SECOND, reason } });
    const { errors } = await refused(422, 'invalid_request', asked);
    expect(errors).toEqual([{ path: 'reason', message: expect.stringContaining('1–1000 characters') }]);
    expect(engine.publishing).toBe(0);
  },
);

describe('reading published versions', () => {
  beforeEach(() => engine.publishConfiguration('default', SECOND));

  it('counts the parts of a version of an earlier release that lacks fields with a default', () => {
    const publication = { version: 1, publishedAt: 0, document: { version: 1, metrics: [{ key: 'a', name: 'A' }] } };
    expect(versionAnswer(publication, true)).toMatchObject({ metrics: 1, achievements: 0, pointsSystems: 0, leaderboards: 0, streak: false }); // prettier-ignore
  });

  it('counts the parts of a version without reading them', () => {
    const untouched = new Proxy({}, { get: () => { throw new Error('it was looked at'); } }); // prettier-ignore
    const publication = { version: 1, publishedAt: 0, document: { version: 1, metrics: [untouched, untouched] } };
    expect(versionAnswer(publication, true).metrics).toBe(2);
  });

  it('lists every version with the number of its parts, newest last', async () => {
    const { status, json } = await ask('GET', '');
    const list = configurationVersion.array().parse(json);
    expect(status).toBe(200);
    const counts = { metrics: 1, achievements: 0, pointsSystems: 0, streak: false, publishedBy: null, reason: null };
    expect(list).toEqual([
      { version: 1, publishedAt: '2026-01-01T00:00:00.000Z', current: false, leaderboards: 0, ...counts },
      { version: 2, publishedAt: '2026-01-02T00:00:00.000Z', current: true, leaderboards: 1, ...counts },
    ]);
  });

  it('shows a version by its number, or the current one', async () => {
    for (const [name, version, document] of [
      ['1', 1, FIRST],
      ['2', 2, SECOND],
      ['current', 2, SECOND],
    ] as const) {
      const { status, json } = await ask('GET', `/${name}`);
      expect(status).toBe(200);
      expect(publishedConfiguration.parse(json)).toMatchObject({ version, document });
    }
  });

  it('answers 404 for an unknown version', async () => {
    for (const name of ['0', '3', '01', '1.0', '-1', 'plan', 'Current', '__proto__'])
      await refused(404, 'unknown_configuration', ask('GET', `/${name}`));
  });
});

describe('planning a configuration', () => {
  it('shows the changes and changes nothing', async () => {
    const { status, json } = await post('/plan', SECOND);
    expect(status).toBe(200);
    const plan = configurationPlan.parse(json);
    expect(plan).toMatchObject({ current: 1, next: 2, changes: [{ kind: 'added', path: 'leaderboards.far' }] });
    expect(engine.publications()).toHaveLength(1);
  });

  it('says whether a publication would replace the current version', async () => {
    engine.events = false;
    expect((await post('/plan', SECOND)).json).toMatchObject({ current: 1, next: 1 });
  });

  it('shows no changes for the document in force', async () => {
    expect((await post('/plan', FIRST)).json).toEqual({ id: expect.any(String), current: 1, next: 1, changes: [] });
  });
});

describe('publishing a configuration', () => {
  it('answers 201 with the version, which is then in force', async () => {
    const { status, json } = await post('', SECOND);
    expect(status).toBe(201);
    expect(publishedConfiguration.parse(json)).toMatchObject({ version: 2, publishedAt: '2026-01-02T00:00:00.000Z' });
    expect((await ask('GET', '/current')).json).toEqual(json);
  });

  it('records the document with every default filled in', async () => {
    await post('', SECOND);
    const { document } = (await ask('GET', '/current')).json as { document: typeof SECOND };
    expect(document).toMatchObject({
      achievements: [],
      points: [],
      leaderboards: [{ maxParticipants: 1000, end: null }],
    });
  });

  it('answers 200 for the document in force and publishes nothing', async () => {
    const { status, json } = await post('', { ...FIRST, points: [] });
    expect(status).toBe(200);
    expect(json).toMatchObject({ version: 1 });
    expect(engine.publishing).toBe(0);
  });

  it('creates one version from equal documents that are sent at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('', SECOND)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ json }) => (json as { version: number }).version))).toEqual(new Set([2]));
  });

  describe('with a plan', () => {
    const THIRD = { version: 1, metrics: [{ key: 'laps', name: 'Laps' }] };
    const planned = async (document: unknown) => configurationPlan.parse((await post('/plan', document)).json).id;
    const publish = (document: unknown, plan: unknown) => ask('POST', '', { body: { document, plan } });

    it('succeeds while the planned version is still in force', async () => {
      expect((await publish(SECOND, await planned(SECOND))).status).toBe(201);
    });

    it.each([true, false])(
      'is refused when another version was published since; the log holds events: %p',
      async (events) => {
        engine.events = events;
        const plan = await planned(SECOND);
        await post('', THIRD);
        await refused(422, 'stale_plan', publish(SECOND, plan));
        expect(engine.publishing).toBe(1);
        expect((await publish(SECOND, await planned(SECOND))).status).toBe(201);
      },
    );

    it('succeeds for only one of two simultaneous requests', async () => {
      const [second, third] = [await planned(SECOND), await planned(THIRD)];
      const answers = await Promise.all([publish(SECOND, second), publish(THIRD, third)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 422]);
      expect(engine.publishing).toBe(1);
    });

    it('is refused when the plan belongs to another document, and records no file', async () => {
      const body = { document: SECOND, plan: await planned(THIRD), accept: true };
      await refused(422, 'stale_plan', ask('POST', '', { body }));
      expect(engine.publishing).toBe(0);
      expect(files.last).toBeNull();
    });

    it('answers 200 when it is repeated', async () => {
      const plan = await planned(SECOND);
      await publish(SECOND, plan);
      expect((await publish(SECOND, plan)).status).toBe(200);
    });

    it('is refused when the plan is not a string', async () => {
      const { errors } = await refused(422, 'invalid_request', publish(SECOND, 7));
      expect(errors).toEqual([{ path: 'plan', message: 'must be the id of a plan' }]);
    });
  });

  it('succeeds after a publication that failed', async () => {
    engine.failing = true;
    const failed = post('', SECOND);
    const { detail } = await refused(500, 'internal', failed);
    expect(detail).not.toContain('secret');
    engine.failing = false;
    expect((await post('', SECOND)).status).toBe(201);
  });
});

describe('a document sent as text', () => {
  const TEXT = '# Runs, and a board\nleaderboards: # one\n  - { key: far, name: Far, rankBy: metric, metric: runs, start: 2026-01-01 }\nmetrics: [{ key: runs, name: Runs }]\nversion: 1\n'; // prettier-ignore
  const COMMENTED = TEXT.replace('# one', '# the only one');
  const send = (text: unknown, more: object = {}, path = '') => ask('POST', path, { body: { text, ...more } });
  const shown = async (version: number | 'current') =>
    (await ask('GET', `/${version}`)).json as { text: string | null };

  it('is published and shown as written', async () => {
    const { status, json } = await send(TEXT);
    expect(status).toBe(201);
    expect(publishedConfiguration.parse(json)).toMatchObject({ version: 2, document: SECOND, text: TEXT });
    expect(await shown('current')).toEqual(json);
    expect(await shown(1)).toMatchObject({ text: null });
  });

  it('replaces the stored text without a new version when only comments or order differ', async () => {
    await send(TEXT);
    const { status, json } = await send(COMMENTED);
    expect([status, json]).toEqual([200, expect.objectContaining({ version: 2, text: COMMENTED })]);
    expect(await shown(2)).toMatchObject({ text: COMMENTED });
    expect(engine.publishing).toBe(1);
  });

  it('stays stored when the same document is sent without a text', async () => {
    await send(TEXT);
    expect((await post('', SECOND)).status).toBe(200);
    expect(await shown(2)).toMatchObject({ text: TEXT });
  });

  it('is removed when a document without a text replaces the version', async () => {
    engine.events = false;
    await send(TEXT);
    expect((await post('', FIRST)).json).toMatchObject({ version: 1, text: null });
    expect(await shown(1)).toMatchObject({ text: null });
  });

  it('is stored with its own version', async () => {
    await send(TEXT);
    await send('# Without a board\nversion: 1\nmetrics: [{ key: runs, name: Runs }]\n');
    expect(await shown(2)).toMatchObject({ text: TEXT });
    expect(await shown(3)).toMatchObject({ text: expect.stringContaining('# Without a board') });
  });

  it('is planned like the document that it contains', async () => {
    const { id } = configurationPlan.parse((await send(TEXT, {}, '/plan')).json);
    expect(id).toBe(configurationPlan.parse((await post('/plan', SECOND)).json).id);
    await refused(422, 'stale_plan', send(TEXT.replace('Far', 'Near'), { plan: id }));
    expect(files.texts.size).toBe(0);
    expect((await send(TEXT, { plan: id })).status).toBe(201);
  });

  it('may be JSON', async () => {
    const text = JSON.stringify(SECOND, null, 2);
    expect((await send(text)).json).toMatchObject({ version: 2, text });
  });

  it.each(['', '/plan'])('is refused with the position of each problem when it is sent to %p', async (path) => {
    const text = 'version: 1\nmetrics:\n  - { key: a b, name: A }\nmetric: []\n';
    const { errors, detail } = await refused(422, 'invalid_request', send(text, {}, path));
    expect(errors).toEqual([
      { path: 'text.metrics[0].key', message: expect.stringMatching(/^expected a key.* \(line 3, column 12\)$/) },
      { path: 'text.metric', message: expect.stringMatching(/did you mean 'metrics'\?.* \(line 4, column 1\)$/) },
    ]);
    expect(detail).toMatch(/^The document cannot be used\. text\.metrics\[0\]\.key: .*\.$/);
  });

  it.each([
    ['not a text', 7, /^must be text$/],
    ['no YAML', 'metrics: [', /\(line 1, column \d+\)$/],
    ['more than a file may have', `# ${'x'.repeat(LARGEST_DOCUMENT)}`, /^expected a document of at most 1048576 bytes/],
    [
      'NUL in a comment',
      'version: 1\nmetrics: [{ key: a, name: A }] # \0',
      /^expected text without NUL .*\(line 2, column 34\)$/,
    ],
  ])('is refused when it is invalid: %s', async (_, text, message) => {
    const { errors } = await refused(422, 'invalid_request', send(text));
    expect(errors).toContainEqual({ path: 'text', message: expect.stringMatching(message) });
    expect(engine.publishing).toBe(0);
  });

  it('is refused together with a document, and null counts as absent', async () => {
    const { errors } = await refused(422, 'invalid_request', send(TEXT, { document: SECOND }));
    expect(errors).toEqual([{ path: 'text', message: expect.stringContaining('together with document') }]);
    expect((await send(null, { document: SECOND })).status).toBe(201);
    expect((await refused(422, 'invalid_request', send(null))).errors).toEqual([{ path: 'document', message: 'is required' }]); // prettier-ignore
  });
});

describe.each(['', '/plan'])('an invalid document sent to %p', (path) => {
  it('is refused with every problem by its path in the body', async () => {
    const document = { version: 2, metrics: [{ key: 'a b', name: 'A' }], streak: {}, metric: [] };
    const { errors, detail } = await refused(422, 'invalid_request', post(path, document));
    expect(errors).toEqual(
      expect.arrayContaining([
        { path: 'document.version', message: 'expected 1, found 2' },
        { path: 'document.metrics[0].key', message: expect.stringContaining('expected a key') },
        { path: 'document.streak.frequency', message: expect.stringContaining('missing') },
        { path: 'document.metric', message: expect.stringContaining("did you mean 'metrics'?") },
      ]),
    );
    expect(detail).toMatch(/^The document cannot be used\. document\..*; and \d+ more\.$/);
    expect(engine.publications()).toHaveLength(1);
  });

  it('is refused with at most a thousand problems', async () => {
    const document = { version: 1, metrics: Array.from({ length: 1_001 }, () => 1) };
    const { errors, detail } = await refused(422, 'invalid_request', post(path, document));
    expect(errors).toHaveLength(1_000);
    expect(detail).toContain('; and at least 998 more.');
  });

  it('is refused with the exact number of problems when there are a thousand', async () => {
    const document = { version: 1, metrics: Array.from({ length: 1_000 }, () => 1) };
    const { errors, detail } = await refused(422, 'invalid_request', post(path, document));
    expect(errors).toHaveLength(1_000);
    expect(detail).toContain('; and 997 more.');
  });

  it('is refused when it violates rules across fields', async () => {
    const document = { ...SECOND, leaderboards: [{ ...SECOND.leaderboards[0], metric: 'run' }] };
    const { errors } = await refused(422, 'invalid_request', post(path, document));
    expect(errors).toEqual([
      { path: 'document.leaderboards[0].metric', message: expect.stringContaining("did you mean 'runs'?") },
    ]);
  });

  it('is refused when it is missing or not an object', async () => {
    const { errors } = await refused(422, 'invalid_request', ask('POST', path, { body: { documents: FIRST } }));
    expect(errors).toEqual([
      { path: 'document', message: 'is required' },
      { path: 'documents', message: 'is unknown: use document' },
    ]);
    for (const document of [null, [], 1, 'version: 1'])
      expect((await refused(422, 'invalid_request', post(path, document))).errors?.[0]?.path).toBe('document');
  });

  it('is recorded as the published file only when accept is true', async () => {
    expect((await ask('POST', '', { body: { document: SECOND, accept: false } })).status).toBe(201);
    expect(files.last).toBeNull();
    expect((await ask('POST', '', { body: { document: SECOND, accept: true } })).status).toBe(200);
    expect(files.last).toMatchObject(SECOND);
    const other = await refused(422, 'invalid_request', ask('POST', '', { body: { document: SECOND, accept: 'yes' } }));
    expect(other.errors).toEqual([{ path: 'accept', message: 'must be true or false' }]);
  });

  it('is refused with 400 when the body is not an object', async () => {
    for (const text of ['', '{', '[]', '1']) await refused(400, 'malformed_body', ask('POST', path, { text }));
  });

  it('may be four times as large as a file, because it contains every default, but no larger', async () => {
    const frame = JSON.stringify({ document: FIRST, x: '' });
    const text = (bytes: number) => frame.replace('"x":""', `"x":"${'x'.repeat(bytes - frame.length)}"`);
    expect((await ask('POST', path, { text: text(4 * LARGEST_DOCUMENT) })).status).toBe(200);
    await refused(413, 'body_too_large', ask('POST', path, { text: text(4 * LARGEST_DOCUMENT + 1) }));
  });
});

it('every configuration route requires the scope admin', async () => {
  await refused(403, 'forbidden', ask('GET', '', { key: OTHER }));
  await refused(403, 'forbidden', ask('GET', '/1', { key: OTHER }));
  await refused(403, 'forbidden', ask('POST', '', { key: OTHER }));
  await refused(403, 'forbidden', ask('POST', '/plan', { key: OTHER }));
});
