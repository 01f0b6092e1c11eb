import type { AuditEntry } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const entry = (number: number, rest: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  type: 'ImportClosed',
  at: '2026-11-21T09:38:39.881Z',
  by: 'process',
  reason: null,
  userId: null,
  details: { cause: 'idle' },
  ...rest,
});

const audit = async (answers: FakeAnswers, ...words: string[]) => {
  const service = await fakeService(answers);
  try {
    const result = await runCommand(['audit', ...words], { variables: service.variables });
    return { ...result, routes: service.requests.map(({ route }) => route) };
  } finally {
    await service.close();
  }
};

describe('laurel audit', () => {
  it('prints a table of changes with their time and author', async () => {
    const entries = [
      entry(2, { type: 'ApiKeyRevoked', by: 'local', reason: 'it leaked', details: { id: 'a-key' } }),
      entry(1, { by: null, details: { cause: 'idle', scopes: ['read'] } }),
    ];
    const { exitCode, stdout } = await audit({ 'GET /admin/v1/audit?limit=50': ok({ entries, next: null }) });
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['at', 'what', 'by', 'user', 'reason', 'details'],
      ['2026-11-21T09:38:39.881Z', 'ApiKeyRevoked', 'local', 'it leaked', 'id a-key'],
      ['2026-11-21T09:38:39.881Z', 'ImportClosed', 'not recorded', 'cause idle, scopes ["read"]'],
      [''],
    ]);
  });

  it('reads pages until it has as many entries as requested', async () => {
    const pageOf = (from: number, count: number) => Array.from({ length: count }, (_, n) => entry(from - n));
    const { stdout, routes } = await audit(
      {
        'GET /admin/v1/audit?limit=100': ok({ entries: pageOf(500, 100), next: 'one' }),
        'GET /admin/v1/audit?limit=50&cursor=one': ok({ entries: pageOf(400, 50), next: 'two' }),
      },
      ...['--limit', '150', '--json'],
    );
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as AuditEntry).id)).toEqual(pageOf(500, 150).map(({ id }) => id));
    expect(routes).toHaveLength(2);
  });

  it('says when there are no entries, and why the topology cannot have any', async () => {
    const route = 'GET /admin/v1/audit?limit=50';
    expect((await audit({ [route]: ok({ entries: [], next: null }) })).stdout).toBe('nobody has done anything\n');
    const { exitCode, stderr } = await audit({ [route]: refused('not_in_this_topology', 'It is in EventStoreDB.') });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('It is in EventStoreDB.')]);
  });

  it.each(['0', 'ten', '-1'])('refuses --limit %s', async (limit) => {
    expect(await audit({}, '--limit', limit)).toMatchObject({ exitCode: 2, routes: [] });
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in reasons: %s', async (_, reason) => {
    const answers = { 'GET /admin/v1/audit?limit=50': ok({ entries: [entry(1, { reason })], next: null }) };
    expect((await audit(answers)).stdout).toMatch(HARMLESS);
    expect((await audit(answers, '--json')).stdout).toMatch(HARMLESS);
  });
});
