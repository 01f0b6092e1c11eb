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
  it.each(['events', 'awards', 'rankings'])('prints %s as they come, however many there are', async (what) => {
    const body = Array.from({ length: 20_000 }, (_, n) => `{"userId":"Grüße-🌿-${n}","value":0.10}\n`).join('');
    const { exitCode, stdout, stderr } = await exported(
      { [`GET /admin/v1/export/${what}?format=ndjson`]: lines(body) },
      what,
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(body);
  });

  it('asks for a range and a format', async () => {
    const route = 'GET /admin/v1/export/events?format=csv&from=2026-03-01&to=2026-04-01T00%3A00%3A00Z';
    const words = ['events', '--from', '2026-03-01', '--to', '2026-04-01T00:00:00Z', '--format', 'csv'];
    expect(await exported({ [route]: csv('id\r\n"a\u001b"\r\n') }, ...words)).toMatchObject({
      exitCode: 0,
      stdout: 'id\r\n"a\u001b"\r\n',
    });
  });

  it('asks for the winners of a run', async () => {
    const route = 'GET /admin/v1/export/winners?leaderboard=weekly&limit=3&format=ndjson&run=2026-03-02';
    const words = ['winners', '--leaderboard', 'weekly', '--run', '2026-03-02', '--limit', '3'];
    expect(await exported({ [route]: lines('{"rank":1}\n') }, ...words)).toMatchObject({ stdout: '{"rank":1}\n' });
    expect(await exported({}, 'winners')).toMatchObject({ exitCode: 2, routes: [] });
    expect(await exported({}, ...words.slice(0, 3), '--limit', '1001')).toMatchObject({ exitCode: 2, routes: [] });
  });

  it('ends with 2 if it is refused, and if it breaks off', async () => {
    const route = 'GET /admin/v1/export/events?format=ndjson';
    const broken = { ...lines('{"value":1}\n'), headers: { 'content-length': '1000' } };
    expect(await exported({ [route]: broken }, 'events')).toMatchObject({ exitCode: 2 });
    const { exitCode, stderr } = await exported(
      { [route]: refused('forbidden', 'It lacks the scope export.') },
      'events',
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('It lacks the scope export.')]);
  });

  it.each(HARMFUL_TEXTS)('lets no text do anything to the terminal, and keeps it: %s', async (_, id) => {
    const body = `${JSON.stringify({ userId: id })}\n`;
    const { stdout } = await exported({ 'GET /admin/v1/export/events?format=ndjson': lines(body) }, 'events');
    expect(stdout).toMatch(HARMLESS);
    expect(JSON.parse(stdout)).toEqual({ userId: id });
  });
});
