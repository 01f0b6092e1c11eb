import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeService, refused, type FakeAnswer, type FakeAnswers } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const lines = (body: string): FakeAnswer => ({
  status: 200,
  body,
  headers: { 'content-type': 'application/x-ndjson' },
});
const csv = (body: string): FakeAnswer => ({ status: 200, body, headers: { 'content-type': 'text/csv' } });

const exported = async (answers: FakeAnswers, ...words: string[]) => {
  const service = await fakeService(answers);
  try {
    const result = await runCommand(['export', ...words], { variables: service.variables });
    return { ...result, routes: service.requests.map(({ route }) => route) };
  } finally {
    await service.close();
  }
};

describe('laurel export', () => {
  it.each(['events', 'awards', 'rankings'])('streams any number of %s unchanged', async (what) => {
    const body = Array.from({ length: 20_000 }, (_, n) => `{"userId":"Grüße-🌿-${n}","value":0.10}\n`).join('');
    const { exitCode, stdout, stderr } = await exported(
      { [`GET /admin/v1/export/${what}?format=ndjson`]: lines(body) },
      what,
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(body);
  });

  it('requests a range and a format', async () => {
    const route = 'GET /admin/v1/export/events?format=csv&from=2026-03-01&to=2026-04-01T00%3A00%3A00Z';
    const words = ['events', '--from', '2026-03-01', '--to', '2026-04-01T00:00:00Z', '--format', 'csv'];
    expect(await exported({ [route]: csv('id\r\n"a\u001b"\r\n') }, ...words)).toMatchObject({
      exitCode: 0,
      stdout: 'id\r\n"a\u001b"\r\n',
    });
  });

  it('requests the winners of a run', async () => {
    const route = 'GET /admin/v1/export/winners?leaderboard=weekly&limit=3&format=ndjson&run=2026-03-02';
    const words = ['winners', '--leaderboard', 'weekly', '--run', '2026-03-02', '--limit', '3'];
    expect(await exported({ [route]: lines('{"rank":1}\n') }, ...words)).toMatchObject({ stdout: '{"rank":1}\n' });
    expect(await exported({}, 'winners')).toMatchObject({ exitCode: 2, routes: [] });
    expect(await exported({}, ...words.slice(0, 3), '--limit', '1001')).toMatchObject({ exitCode: 2, routes: [] });
  });

  it('exits with 2 when the export is refused or breaks off', async () => {
    const route = 'GET /admin/v1/export/events?format=ndjson';
    const broken = { ...lines('{"value":1}\n'), headers: { 'content-length': '1000' } };
    expect(await exported({ [route]: broken }, 'events')).toMatchObject({ exitCode: 2 });
    const { exitCode, stderr } = await exported(
      { [route]: refused('forbidden', 'It lacks the scope export.') },
      'events',
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('It lacks the scope export.')]);
  });

  it.each(HARMFUL_TEXTS)('escapes control characters without changing the value: %s', async (_, id) => {
    const body = `${JSON.stringify({ userId: id })}\n`;
    const { stdout } = await exported({ 'GET /admin/v1/export/events?format=ndjson': lines(body) }, 'events');
    expect(stdout).toMatch(HARMLESS);
    expect(JSON.parse(stdout)).toEqual({ userId: id });
  });
});

describe('laurel export outcomes and export events with a cursor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-stream-'));
  const fileOf = (name: string, cursor?: string): string => {
    const file = join(folder, name);
    if (cursor !== undefined) writeFileSync(file, cursor);
    return file;
  };
  const page = (cursor: string, ...ids: readonly number[]): FakeAnswer => ({
    status: 200,
    body: ids.map((id) => `{"id":${id}}\n`).join(''),
    headers: {
      ...{ 'content-type': 'application/x-ndjson', 'laurel-cursor': cursor },
      ...(ids.length === 0 && { 'content-length': '0' }),
    },
  });

  it.each(['outcomes', 'events'])(
    'print %s from the cursor in the file on, page by page, and store the new cursor',
    async (what) => {
      const file = fileOf(`${what}.cursor`);
      const route = `GET /admin/v1/${what}?limit=1000`;
      const answers = {
        [route]: page('c1', 1, 2),
        [`${route}&after=c1`]: page('c2', 3),
        [`${route}&after=c2`]: page('c2'),
      };
      expect(await exported(answers, what, '--cursor-file', file)).toMatchObject({
        ...{ exitCode: 0, stderr: '', stdout: '{"id":1}\n{"id":2}\n{"id":3}\n' },
        routes: [route, `${route}&after=c1`, `${route}&after=c2`],
      });
      expect(readFileSync(file, 'utf8')).toBe('c2\n');
      const again = { [`${route}&after=c2`]: page('c3', 4), [`${route}&after=c3`]: page('c3') };
      expect(await exported(again, what, '--cursor-file', file)).toMatchObject({ exitCode: 0, stdout: '{"id":4}\n' });
      expect(readFileSync(file, 'utf8')).toBe('c3\n');
      expect(readdirSync(folder).filter((name) => name.endsWith('.next'))).toEqual([]);
    },
  );

  it.each(['outcomes', 'events'])(
    'end at the %s that existed at the start, however many arrive meanwhile',
    async (what) => {
      const route = `GET /admin/v1/${what}?limit=1000`;
      const growing = (cursor: string, head: string, ...ids: readonly number[]): FakeAnswer => {
        const { headers, ...rest } = page(cursor, ...ids) as Extract<FakeAnswer, { headers?: unknown }>;
        return { ...rest, headers: { ...headers, 'laurel-head': head } };
      };
      const answers = {
        [route]: growing('c1', 'c3', 1, 2),
        [`${route}&after=c1&until=c3`]: growing('c2', 'c5', 3),
        [`${route}&after=c2&until=c3`]: growing('c3', 'c9', 4),
      };
      const cursorFile = ['--cursor-file', fileOf(`${what}.head`)];
      expect(await exported(answers, what, ...cursorFile)).toMatchObject({
        ...{ exitCode: 0, stdout: '{"id":1}\n{"id":2}\n{"id":3}\n{"id":4}\n' },
        routes: Object.keys(answers),
      });
      const beyond = { [route]: growing('c2', 'c1', 1), [`${route}&after=c2&until=c1`]: growing('c2', 'c9') };
      const other = ['--cursor-file', fileOf(`${what}.beyond`)];
      expect(await exported(beyond, what, ...other)).toMatchObject({ exitCode: 0, stdout: '{"id":1}\n' });
    },
  );

  it('continue past a page without matching events, and wait for new ones with --follow', async () => {
    const route = 'GET /admin/v1/events?limit=1000&types=UserErased';
    const answers = {
      [route]: page('c1'),
      [`GET /admin/v1/events?limit=1000&after=c1&types=UserErased`]: page('c2', 1),
      [`GET /admin/v1/events?limit=1000&after=c2&types=UserErased`]: page('c2'),
    };
    expect(await exported(answers, 'events', '--types', 'UserErased')).toMatchObject({
      exitCode: 0,
      stdout: '{"id":1}\n',
    });
    const followed = {
      'GET /admin/v1/outcomes?limit=1000&wait=30': page('1', 1),
      'GET /admin/v1/outcomes?limit=1000&after=1&wait=30': [
        page('1'),
        'drop',
        refused('unavailable', 'It starts.'),
        page('2', 2),
      ],
      'GET /admin/v1/outcomes?limit=1000&after=2&wait=30': refused('forbidden', 'It lacks the scope export.'),
    } as const;
    const result = await exported(followed, 'outcomes', '--follow');
    expect(result).toMatchObject({ exitCode: 2, stdout: '{"id":1}\n{"id":2}\n' });
    expect(result.stderr).toContain('asking again in 5 seconds');
  });

  it('keep the cursor of the last page that was written', async () => {
    const file = fileOf('kept.cursor', 'c1');
    const route = 'GET /admin/v1/outcomes?limit=1000';
    const answers = { [`${route}&after=c1`]: page('c2', 1), [`${route}&after=c2`]: 'drop' } as const;
    expect(await exported(answers, 'outcomes', '--cursor-file', file)).toMatchObject({
      exitCode: 2,
      stdout: '{"id":1}\n',
    });
    expect(readFileSync(file, 'utf8')).toBe('c2\n');
  });

  it('name the oldest cursor and the remedy when the next rows are deleted', async () => {
    const file = fileOf('old.cursor', '7');
    const gone = refused('cursor_expired', 'Outcomes behind cursor 7 are not kept any more; the oldest cursor is 90.');
    const { exitCode, stdout, stderr } = await exported(
      { 'GET /admin/v1/outcomes?limit=1000&after=7': gone },
      ...['outcomes', '--cursor-file', file],
    );
    expect([exitCode, stdout, readFileSync(file, 'utf8')]).toEqual([2, '', '7']);
    expect(stderr).toContain('the oldest cursor is 90');
    expect(stderr).toContain(`Write that cursor into ${file}`);
  });

  it('refuse an invalid or unreadable cursor file and options of a range', async () => {
    for (const [words, said] of [
      [['outcomes', '--cursor-file', fileOf('else', '{"not":"a cursor"}')], 'does not hold a cursor'],
      [['outcomes', '--cursor-file', folder], 'cannot be read'],
      [['events', '--follow', '--from', '2026-03-01'], '--follow, --cursor-file and --types print the log'],
      [['events', '--types', 'UserErased', '--format', 'csv'], '--follow, --cursor-file and --types print the log'],
    ] as const) {
      const { exitCode, stdout, stderr, routes } = await exported({}, ...words);
      expect([exitCode, stdout, routes]).toEqual([2, '', []]);
      expect(stderr).toContain(said);
    }
  });
});
