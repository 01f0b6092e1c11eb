import type { NewWebhookAnswer, WebhookAnswer, WebhookDeliveryAnswer, WebhookTestAnswer } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const ID = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const PATH = `/admin/v1/webhooks/${ID}`;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const URL = 'https://example.com/laurel';
const WEBHOOK: WebhookAnswer = {
  ...{ id: ID, url: URL, description: 'mail', types: ['streak.lost'], ordering: 'user', trophySignature: false },
  minimumInterval: 900,
  ...{ state: 'enabled', disabledBecause: null, stateSince: '2026-11-21T09:38:39.881Z', failingSince: null },
  ...{ lastSuccessAt: null, behind: 3, unfinished: 2, heldBack: 1, abandoned: 1 },
  ...{ oldestAt: '2026-11-21T09:10:00.000Z', replaying: false, rotatedUntil: null },
  ...{ createdAt: '2026-11-21T09:38:39.881Z', createdBy: 'local', warnings: [] },
};
const MADE: NewWebhookAnswer = { ...WEBHOOK, secret: SECRET };
const DELIVERY: WebhookDeliveryAnswer = {
  ...{ id: '4711', outcome: '5f0a1c7e-2b7d-5c0e-9a51-3c1d5b7f9e20', sequence: 1_200, type: 'streak.lost' },
  ...{ replay: false, state: 'abandoned', attempts: 10, nextAttemptAt: null },
  ...{ finishedAt: '2026-11-21T10:00:00.000Z', status: 500, tookMs: 38, response: 'no', error: 'status 500' },
};
const UNKNOWN = refused('unknown_webhook');

describe('laurel webhooks', () => {
  let service: FakeService;
  const webhooks = async (answers: FakeAnswers, ...words: string[]) => {
    service = await fakeService(answers);
    try {
      return await runCommand(['webhooks', ...words], { variables: service.variables });
    } finally {
      await service.close();
    }
  };
  const sent = () =>
    service.requests.map(({ route, body }) => [route, body === '' ? null : (JSON.parse(body) as unknown)]);

  describe('list', () => {
    const list = (all: readonly WebhookAnswer[], ...words: string[]) =>
      webhooks({ 'GET /admin/v1/webhooks': ok(all) }, 'list', ...words);

    it('prints a line per webhook with its problems', async () => {
      const { exitCode, stdout } = await list([
        WEBHOOK,
        { ...WEBHOOK, types: null, state: 'disabled', disabledBecause: 'it answered with 410' },
        { ...WEBHOOK, failingSince: '2026-11-20T00:00:00.000Z', lastSuccessAt: '2026-11-19T00:00:00.000Z' },
        { ...WEBHOOK, replaying: true },
      ]);
      expect(exitCode).toBe(0);
      const lines = stdout.trimEnd().split('\n');
      expect(lines).toHaveLength(5);
      expect(lines[1]).toMatch(/^0199a4c2\S+ +https:\S+laurel +streak\.lost +mail +enabled +3 +2 +1 +none yet$/);
      expect(lines[2]).toMatch(/ all +mail +disabled: it answered with 410 /);
      expect(lines[3]).toMatch(/ failing since 2026-11-20T00:00:00.000Z .* 2026-11-19T00:00:00.000Z$/);
      expect(lines[4]).toContain(' replaying ');
    });

    it('says that there are no webhooks, and prints the whole answer with --json', async () => {
      expect((await list([])).stdout).toBe('there are no webhooks\n');
      expect(JSON.parse((await list([WEBHOOK], '--json')).stdout)).toEqual([WEBHOOK]);
    });

    it.each(HARMFUL_TEXTS)('escapes control characters: %s', async (_, harmful) => {
      const { stdout } = await list([{ ...WEBHOOK, description: harmful }]);
      expect(stdout).toMatch(HARMLESS);
    });
  });

  describe('create', () => {
    const create = (...words: string[]) =>
      webhooks({ 'POST /admin/v1/webhooks': ok(MADE, 201) }, 'create', URL, ...words);

    it('prints only the secret on standard output and a description on standard error', async () => {
      const { exitCode, stdout, stderr } = await create();
      expect([exitCode, stdout]).toEqual([0, `${SECRET}\n`]);
      expect(stderr).toContain(`made the webhook ${ID} to ${URL} for streak.lost`);
      expect(stderr).not.toContain(SECRET);
      expect(sent()).toEqual([['POST /admin/v1/webhooks', { url: URL }]]);
    });

    it('sends its options and prints the whole answer with --json', async () => {
      const options = ['--type', 'streak.lost', '--type', 'user.created', '--description', 'mail'];
      const { stdout, stderr } = await create(...options, '--ordering', 'strict', '--trophy-signature', '--json');
      expect([JSON.parse(stdout), stderr]).toEqual([MADE, '']);
      expect(sent()[0]?.[1]).toEqual({
        ...{ url: URL, types: ['streak.lost', 'user.created'], description: 'mail' },
        ...{ ordering: 'strict', trophySignature: true },
      });
    });

    it('prints why the service refuses', async () => {
      const answer = refused('invalid_request', 'url must be https.');
      const { exitCode, stdout, stderr } = await webhooks({ 'POST /admin/v1/webhooks': answer }, 'create', 'http://x');
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain('url must be https.');
    });

    it.each([['drop' as const], [refused('unavailable')]])(
      'does not retry when the outcome is unknown, and says what to do: %j',
      async (reply) => {
        const answers = { 'POST /admin/v1/webhooks': [reply, ok(MADE, 201)] };
        const { exitCode, stdout, stderr } = await webhooks(answers, 'create', URL);
        expect([exitCode, stdout, service.requests.length]).toEqual([2, '', 1]);
        expect(stderr).toMatch(/whose secret nobody has seen: webhooks list .* webhooks delete ID deletes it\.\n$/);
      },
    );
  });

  describe('change', () => {
    const change = (...words: string[]) => webhooks({ [`PATCH ${PATH}`]: ok(WEBHOOK) }, 'change', ID, ...words);

    it.each([
      [['--address', 'https://example.com/new'], { url: 'https://example.com/new' }],
      [['--type', 'streak.lost', '--description', ''], { types: ['streak.lost'], description: '' }],
      [['--all-types', '--ordering', 'user'], { types: null, ordering: 'user' }],
      [['--minimum-interval', '0'], { minimumInterval: 0 }],
      [['--trophy-signature'], { trophySignature: true }],
      [['--no-trophy-signature'], { trophySignature: false }],
    ])('sends only the given changes: %j', async (words, body) => {
      const { exitCode, stdout } = await change(...words);
      expect([exitCode, stdout]).toEqual([0, `changed the webhook ${ID} to ${URL}\n`]);
      expect(sent()).toEqual([[`PATCH ${PATH}`, body]]);
    });

    it('warns of types for which the configuration creates no outcomes', async () => {
      const warned = { ...WEBHOOK, warnings: ['the configuration does not make streak.lost\u001b[2J'] };
      const { exitCode, stderr } = await webhooks({ [`PATCH ${PATH}`]: ok(warned) }, 'change', ID, '--all-types');
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/^warning: the configuration does not make streak\.lost/m);
      expect(stderr).not.toContain('\u001b');
      const made = await webhooks(
        { 'POST /admin/v1/webhooks': [ok({ ...warned, secret: SECRET }, 201)] },
        'create',
        URL,
      );
      expect(made.stdout).toBe(`${SECRET}\n`);
      expect(made.stderr).toMatch(/^warning: the configuration does not make streak\.lost/m);
    });

    it.each([
      [[], /say what is to be changed/],
      [['--type', 'streak.lost', '--all-types'], /cannot be used with/],
      [['--minimum-interval', '86401'], /a number of seconds from 0 to 86400/],
      [['--ordering', 'none'], /Allowed choices are user, strict/],
    ])('sends no request for %j', async (words, expected) => {
      const { exitCode, stdout, stderr } = await change(...words);
      expect([exitCode, stdout, service.requests]).toEqual([2, '', []]);
      expect(stderr).toMatch(expected);
    });
  });

  it.each([
    ['delete', `DELETE ${PATH}`, 'deleted'],
    ['enable', `POST ${PATH}/enable`, 'enabled'],
    ['disable', `POST ${PATH}/disable`, 'disabled'],
  ])('%s says what was done, or prints the answer with --json', async (command, route, done) => {
    const { exitCode, stdout } = await webhooks({ [route]: ok(WEBHOOK) }, command, ID);
    expect([exitCode, stdout]).toEqual([0, `${done} the webhook ${ID} to ${URL}\n`]);
    expect(sent()).toEqual([[route, null]]);
    expect(JSON.parse((await webhooks({ [route]: ok(WEBHOOK) }, command, ID, '--json')).stdout)).toEqual(WEBHOOK);
  });

  describe('test', () => {
    const ARRIVED: WebhookTestAnswer = { delivered: true, status: 204, tookMs: 38, response: '', error: null };

    it.each<[WebhookTestAnswer, number, string]>([
      [ARRIVED, 0, 'delivered: answered with 204 after 38 ms\n'],
      [
        { ...ARRIVED, delivered: false, status: 500, response: 'oh\u001b', error: 'status 500' },
        1,
        'not delivered: answered with 500 after 38 ms: status 500\noh\\u{1b}\n',
      ],
      [
        { delivered: false, status: null, tookMs: 15_000, response: null, error: 'no answer in time' },
        1,
        'not delivered: no answer after 15000 ms: no answer in time\n',
      ],
    ])('prints the answer of the receiver: %j', async (answer, code, expected) => {
      const answers = { [`POST ${PATH}/test`]: ok(answer) };
      expect(await webhooks(answers, 'test', ID)).toMatchObject({ exitCode: code, stdout: expected, stderr: '' });
      const { exitCode, stdout } = await webhooks(answers, 'test', ID, '--json');
      expect([exitCode, JSON.parse(stdout)]).toEqual([code, answer]);
    });
  });

  describe('deliveries', () => {
    it('prints deliveries page by page up to the limit', async () => {
      const page = Array.from({ length: 40 }, (_, index) => ({ ...DELIVERY, id: String(4_711 - index) }));
      const { exitCode, stdout } = await webhooks(
        {
          [`GET ${PATH}/deliveries?limit=40&state=abandoned`]: ok({ deliveries: page, next: '4672' }),
          [`GET ${PATH}/deliveries?limit=10&cursor=4672&state=abandoned`]: ok({
            deliveries: [{ ...DELIVERY, id: '12', replay: true }],
            next: null,
          }),
        },
        ...['deliveries', ID, '--state', 'abandoned', '--limit', '50'],
      );
      const lines = stdout.trimEnd().split('\n');
      expect([exitCode, lines.length]).toEqual([0, 42]);
      expect(lines[1]).toMatch(
        /^4711 +1200 +streak\.lost +abandoned +10 +2026-11-21T10:00:00.000Z +500 +38 +status 500$/,
      );
      expect(lines[41]).toMatch(/^12 .* abandoned \(replay\) /);
    });

    it('prints each delivery unchanged with --json, and says that there are none', async () => {
      const route = `GET ${PATH}/deliveries?limit=20`;
      const one = await webhooks({ [route]: ok({ deliveries: [DELIVERY], next: null }) }, 'deliveries', ID, '--json');
      expect(JSON.parse(one.stdout)).toEqual(DELIVERY);
      const none = await webhooks({ [route]: ok({ deliveries: [], next: null }) }, 'deliveries', ID);
      expect(none.stdout).toBe('there are none\n');
    });
  });

  it('resend says what is sent again, or that there is no such delivery', async () => {
    const route = `POST ${PATH}/deliveries/4711/resend`;
    const resent = ok({ ...DELIVERY, state: 'pending' }, 202);
    expect(await webhooks({ [route]: resent }, 'resend', ID, '4711')).toMatchObject({
      exitCode: 0,
      stdout: 'outcome 1200 (streak.lost) is sent again: delivery 4711 is pending\n',
    });
    expect(await webhooks({ [route]: refused('unknown_delivery') }, 'resend', ID, '4711')).toMatchObject({
      exitCode: 2,
      stderr: 'laurel: the webhook has no delivery 4711: webhooks deliveries shows them\n',
    });
  });

  it('replay sends the outcomes from a sequence on, optionally of some types', async () => {
    const answers = { [`POST ${PATH}/replay`]: ok(WEBHOOK, 202) };
    const { stdout } = await webhooks(answers, 'replay', ID, '--from', '1200');
    expect(stdout).toContain(`the webhook ${ID} is sent the outcomes from 1200 on again`);
    expect(sent()).toEqual([[`POST ${PATH}/replay`, { from: 1_200 }]]);
    await webhooks(answers, 'replay', ID, '--from', '1', '--type', 'streak.lost');
    expect(sent()[0]?.[1]).toEqual({ from: 1, types: ['streak.lost'] });
    expect(await webhooks(answers, 'replay', ID, '--from', '0')).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining('Expected a whole number from 1 on.') as string },
    });
  });

  describe('rotate', () => {
    const route = `POST ${PATH}/secret`;
    const ROTATED = { secret: SECRET, previousUntil: '2026-11-22T10:00:00.000Z' };

    it('prints only the secret on standard output', async () => {
      const { exitCode, stdout, stderr } = await webhooks({ [route]: ok(ROTATED) }, 'rotate', ID);
      expect([exitCode, stdout]).toEqual([0, `${SECRET}\n`]);
      expect(stderr).toContain('the one before it signs as well until 2026-11-22T10:00:00.000Z');
      expect(stderr).not.toContain(SECRET);
      expect(JSON.parse((await webhooks({ [route]: ok(ROTATED) }, 'rotate', ID, '--json')).stdout)).toEqual(ROTATED);
    });

    it('does not retry when the outcome is unknown', async () => {
      const { exitCode, stdout, stderr } = await webhooks({ [route]: ['drop', ok(ROTATED)] }, 'rotate', ID);
      expect([exitCode, stdout, service.requests.length]).toEqual([2, '', 1]);
      expect(stderr).toContain('may have a new secret that nobody has seen');
    });
  });

  it.each([
    ['change', `PATCH ${PATH}`, ['--all-types']],
    ['delete', `DELETE ${PATH}`, []],
    ['enable', `POST ${PATH}/enable`, []],
    ['disable', `POST ${PATH}/disable`, []],
    ['test', `POST ${PATH}/test`, []],
    ['deliveries', `GET ${PATH}/deliveries?limit=20`, []],
    ['resend', `POST ${PATH}/deliveries/4711/resend`, ['4711']],
    ['replay', `POST ${PATH}/replay`, ['--from', '1']],
    ['rotate', `POST ${PATH}/secret`, []],
  ])('%s says that there is no such webhook', async (command, route, words) => {
    const { exitCode, stdout, stderr } = await webhooks({ [route]: UNKNOWN }, command, ID, ...words);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`laurel: there is no webhook ${ID}: webhooks list shows them\n`);
  });
});
