import type { ApiKeyAnswer, NewApiKeyAnswer } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const ID = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const STORED: ApiKeyAnswer = {
  id: ID,
  label: 'mobile backend',
  scopes: ['ingest', 'read'],
  createdAt: '2026-11-21T09:38:39.881Z',
  createdBy: 'local',
  expiresAt: null,
  revokedAt: null,
  revokedBy: null,
  requestsPerMinute: null,
};
const SECRET = `lrl_${'a'.repeat(36)}`;
const MADE: NewApiKeyAnswer = { ...STORED, key: SECRET };

describe('laurel keys', () => {
  let service: FakeService;
  const keys = async (answers: FakeAnswers, ...words: string[]) => {
    service = await fakeService(answers);
    try {
      return await runCommand(['keys', ...words], { variables: service.variables });
    } finally {
      await service.close();
    }
  };
  const create = (...words: string[]) =>
    keys(
      { 'POST /admin/v1/keys': ok(MADE, 201), 'GET /admin/v1/status': ok({ now: '2026-11-21T10:00:00.000Z' }) },
      'create',
      ...words,
    );
  const bodySent = (): unknown =>
    JSON.parse(service.requests.find(({ route }) => route === 'POST /admin/v1/keys')?.body ?? 'null');

  describe('create', () => {
    it('prints only the key on standard output and its description on standard error', async () => {
      const { exitCode, stdout, stderr } = await create(
        '--label',
        'mobile backend',
        '--scope',
        'ingest',
        '--scope',
        'read',
      );
      expect([exitCode, stdout]).toEqual([0, `${SECRET}\n`]);
      expect(stderr).toContain(`made the key ${ID} "mobile backend" for ingest, read; it does not expire; no limit`);
      expect(stderr).not.toContain(SECRET);
      expect(bodySent()).toEqual({
        label: 'mobile backend',
        scopes: ['ingest', 'read'],
        expiresAt: null,
        requestsPerMinute: null,
      });
    });

    it('sends the reason', async () => {
      await create('--label', 'x', '--scope', 'read', '--reason', 'a new app');
      expect(bodySent()).toMatchObject({ reason: 'a new app' });
    });

    it('prints the whole answer with --json', async () => {
      const { stdout, stderr } = await create('--label', 'x', '--scope', 'read', '--json');
      expect([JSON.parse(stdout), stderr]).toEqual([MADE, '']);
    });

    it.each([
      ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.000Z'],
      ['2027-01-31T01:00:00+01:00', '2027-01-31T00:00:00.000Z'],
      ['12h', '2026-11-21T22:00:00.000Z'],
      ['90d', '2027-02-19T10:00:00.000Z'],
      ['4w', '2026-12-19T10:00:00.000Z'],
    ])('computes --expires %s with the clock of the service', async (expires, expected) => {
      await create('--label', 'x', '--scope', 'read', '--expires', expires, '--requests-per-minute', '60');
      expect(bodySent()).toMatchObject({ expiresAt: expected, requestsPerMinute: 60 });
    });

    it.each([
      ['no label', ['--scope', 'read'], /required option '--label <text>'/],
      ['no scope', ['--label', 'x'], /required option '--scope <scope...>'/],
      ['a mistyped scope', ['--label', 'x', '--scope', 'ingst'], / export \(did you mean 'ingest'\?\)\.$/m],
      [
        'an unknown scope',
        ['--label', 'x', '--scope', 'write'],
        /Allowed choices are ingest, read, support, admin, export\.$/m,
      ],
      ['no time', ['--label', 'x', '--scope', 'read', '--expires', 'soon'], /Expected an instant .* or 12h, 90d, 4w/],
      [
        'no whole number',
        ['--label', 'x', '--scope', 'read', '--requests-per-minute', '1.5'],
        /Expected a whole number/,
      ],
    ])('sends no request when it is given %s', async (_, words, expected) => {
      const { exitCode, stdout, stderr } = await create(...words);
      expect([exitCode, stdout, service.requests]).toEqual([2, '', []]);
      expect(stderr).toMatch(expected);
    });

    it('prints why the service refuses', async () => {
      const { exitCode, stderr } = await keys(
        { 'POST /admin/v1/keys': refused('invalid_request', 'requestsPerMinute must be at most 1000000.') },
        ...['create', '--label', 'x', '--scope', 'read', '--requests-per-minute', '9999999'],
      );
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('requestsPerMinute must be at most 1000000.')]);
    });
  });

  describe('create with an unknown outcome', () => {
    const making = (...replies: FakeAnswers[string][]) =>
      keys({ 'POST /admin/v1/keys': replies.flat() }, 'create', '--label', 'x', '--scope', 'read');
    const HINT =
      'A key may have been made that nobody has seen: keys list shows whether there is one, and keys revoke ID revokes it.\n';

    it.each([
      [
        'unavailable',
        refused('unavailable', 'The store cannot be reached.'),
        /turned the request away \(503\): The store/,
      ],
      ['overloaded', refused('overloaded', 'Too much.'), /turned the request away \(503\): Too much/],
      ['failed', refused('internal'), /failed \(500\)/],
      ['a proxy in between', { status: 504, body: '<html>' }, /\(504\)/],
      ['a lost answer', 'drop', /went away before it answered/],
    ] as const)('does not retry and says how to find and revoke the key: %s', async (_, reply, expected) => {
      const { exitCode, stdout, stderr, waitedMs } = await making(reply, ok(MADE, 201));
      expect([exitCode, stdout, waitedMs]).toEqual([2, '', []]);
      expect(stderr).toMatch(expected);
      expect(stderr.endsWith(`\n${HINT}`)).toBe(true);
      expect(service.requests).toHaveLength(1);
    });

    it('retries after 429, because nothing was created', async () => {
      const { exitCode, stdout, waitedMs } = await making(
        refused('rate_limited', 'Too many.', { 'retry-after': '7' }),
        ok(MADE, 201),
      );
      expect([exitCode, stdout, waitedMs]).toEqual([0, `${SECRET}\n`, [7_000]]);
      const refusal = await making(refused('rate_limited', 'Too many.'));
      expect(refusal.stderr).toMatch(/again and again \(429\): Too many\.\n$/);
    });
  });

  describe('list', () => {
    const list = (all: readonly ApiKeyAnswer[], ...words: string[]) =>
      keys({ 'GET /admin/v1/keys': ok(all) }, 'list', ...words);

    it('prints a table with a line for every key', async () => {
      const { exitCode, stdout } = await list([
        STORED,
        { ...STORED, label: '世界', scopes: ['admin'], expiresAt: '2027-01-01T00:00:00Z', requestsPerMinute: 60 },
        { ...STORED, label: 'old', revokedAt: '2026-11-22T00:00:00Z' },
      ]);
      expect(exitCode).toBe(0);
      expect(stdout.split('\n')).toEqual([
        `id                                    label           scopes       created                   expires               per minute  revoked`,
        `${ID}  mobile backend  ingest,read  2026-11-21T09:38:39.881Z  never                 no limit`,
        `${ID}  世界              admin        2026-11-21T09:38:39.881Z  2027-01-01T00:00:00Z  60`,
        `${ID}  old             ingest,read  2026-11-21T09:38:39.881Z  never                 no limit    2026-11-22T00:00:00Z`,
        '',
      ]);
    });

    it('prints the answer of the service with --json', async () => {
      expect(JSON.parse((await list([STORED], '--json')).stdout)).toEqual([STORED]);
    });

    it.each(HARMFUL_TEXTS)('escapes control characters in labels: %s', async (_, label) => {
      const { stdout } = await list([{ ...STORED, label }, STORED]);
      expect(stdout).toMatch(HARMLESS);
      expect(stdout.split('\n')).toHaveLength(4);
      const json = (await list([{ ...STORED, label }], '--json')).stdout;
      expect(json).toMatch(HARMLESS);
      expect(JSON.parse(json)).toEqual([{ ...STORED, label: JSON.parse(JSON.stringify(label)) as string }]);
    });
  });

  describe('revoke', () => {
    const route = `DELETE /admin/v1/keys/${ID}`;
    const revoked = { ...STORED, revokedAt: '2026-11-22T00:00:00.000Z' };

    it('says which key was revoked, and since when', async () => {
      const { exitCode, stdout } = await keys({ [route]: ok(revoked) }, 'revoke', ID);
      expect([exitCode, stdout]).toEqual([0, `revoked ${ID} "mobile backend" as of 2026-11-22T00:00:00.000Z\n`]);
      expect(JSON.parse((await keys({ [route]: ok(revoked) }, 'revoke', ID, '--json')).stdout)).toEqual(revoked);
    });

    it('says that there is no such key', async () => {
      const { exitCode, stderr } = await keys({ [route]: refused('unknown_key') }, 'revoke', ID);
      expect([exitCode, stderr]).toEqual([2, `laurel: there is no key ${ID}: keys list shows them\n`]);
    });

    it('refuses a key in place of an id and does not send it, because logs would keep it', async () => {
      const { exitCode, stderr } = await keys({}, 'revoke', SECRET);
      expect([exitCode, service.requests]).toEqual([2, []]);
      expect(stderr).toContain('that is a key, not the id of one');
      expect(stderr).not.toContain(SECRET);
    });

    it('encodes special characters in an id as one part of the path', async () => {
      await keys({}, 'revoke', '../status?x=1#y');
      expect(service.requests.map((request) => request.route)).toEqual([
        'DELETE /admin/v1/keys/..%2Fstatus%3Fx%3D1%23y',
      ]);
    });

    it.each(HARMFUL_TEXTS)('escapes control characters in everything it repeats: %s', async (_, text) => {
      const answers = { [route]: ok({ ...revoked, label: text }) };
      expect((await keys(answers, 'revoke', ID)).stdout).toMatch(/^[^\n]*\n$/);
      expect((await keys(answers, 'revoke', ID)).stdout).toMatch(HARMLESS);
      expect((await keys({ [route]: refused('invalid_request', text) }, 'revoke', ID)).stderr).toMatch(HARMLESS);
      expect((await keys({}, 'revoke', text)).stderr).toMatch(HARMLESS);
    });
  });
});
