import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClock } from '@laurel/runtime';
import { Webhook } from 'standardwebhooks';
import type { Surroundings } from '../command-context.ts';
import { runLaurel } from '../program.ts';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { memory } from '../testing/run-command.ts';

const ID = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MADE = { id: ID, secret: SECRET };
const OUTCOME = {
  id: 'o1',
  type: 'streak.extended',
  timestamp: '2026-11-21T10:00:00.000Z',
  sequence: 7,
  user: { id: 'ada' },
};

describe('laurel webhooks listen', () => {
  let service: FakeService;

  beforeEach(async () => {
    service = await fakeService({});
  });
  afterEach(() => service.close());

  const answering = async (answers: FakeAnswers) => {
    await service.close();
    service = await fakeService(answers);
  };
  const OF_ONE = { 'POST /admin/v1/webhooks': ok(MADE, 201), [`DELETE /admin/v1/webhooks/${ID}`]: ok(MADE) };

  function listen(...words: string[]) {
    const [stdout, stderr, interruption] = [memory(), memory(), new AbortController()];
    const surroundings: Surroundings = {
      ...{ variables: service.variables, clock: createClock({ type: 'system' }) },
      ...{ stdout: stdout.stream, stderr: stderr.stream, interrupted: interruption.signal },
    };
    let ended = false;
    const exitCode = runLaurel(['webhooks', 'listen', '--port', '0', ...words], surroundings).finally(() => {
      ended = true;
    });
    const url = async (): Promise<string> => {
      for (;;) {
        const [, found] = /listening on (\S+);/.exec(stderr.text()) ?? [];
        if (found !== undefined) return found;
        if (ended) throw new Error(`it ended: ${stderr.text()}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const interrupt = () => {
      interruption.abort();
      return exitCode;
    };
    return { url, interrupt, exitCode, stdout: stdout.text, stderr: stderr.text };
  }

  const deliver = async (url: string, body: string, secret = SECRET, headers: Record<string, string> = {}) => {
    const at = new Date();
    const signed = {
      ...{ 'webhook-id': 'o1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)) },
      'webhook-signature': new Webhook(secret).sign('o1', at, body),
    };
    return (await fetch(url, { method: 'POST', body, headers: { ...signed, ...headers } })).status;
  };

  it('creates a webhook, shows deliveries with their signature check, and deletes it at the end', async () => {
    await answering(OF_ONE);
    const listening = listen('--type', 'streak.extended');
    const url = await listening.url();
    expect(await deliver(url, JSON.stringify(OUTCOME))).toBe(204);
    expect(await deliver(url, JSON.stringify(OUTCOME), `whsec_${Buffer.alloc(24).toString('base64')}`)).toBe(204);
    expect(await deliver(url, JSON.stringify({ ...OUTCOME, user: null }), SECRET, { 'webhook-replay': 'true' })).toBe(
      204,
    );
    expect(await listening.interrupt()).toBe(130);
    expect(listening.stdout().split('\n')).toEqual([
      'signature right  streak.extended  sequence 7  user "ada"  id o1',
      'signature WRONG (No matching signature found)  streak.extended  sequence 7  user "ada"  id o1',
      'signature right  streak.extended  sequence 7  id o1  replay',
      '',
    ]);
    expect(listening.stderr()).toContain(`deleted the webhook ${ID}\n`);
    expect(service.requests.map(({ route }) => route)).toEqual(Object.keys(OF_ONE));
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
      ...{ url, description: 'laurel webhooks listen', minimumInterval: 0, types: ['streak.extended'] },
    });
    await expect(fetch(url)).rejects.toThrow();
  });

  it('creates no webhook with --secret and prints whole deliveries with --json', async () => {
    const listening = listen('--secret', SECRET, '--json');
    expect(await deliver(await listening.url(), JSON.stringify(OUTCOME))).toBe(204);
    expect(await listening.interrupt()).toBe(130);
    expect(JSON.parse(listening.stdout())).toEqual({ id: 'o1', replay: false, wrongBecause: null, body: OUTCOME });
    expect(service.requests).toEqual([]);
  });

  it('shows neither oversized requests nor requests that are no deliveries', async () => {
    const listening = listen('--secret', SECRET);
    const url = await listening.url();
    expect((await fetch(url)).status).toBe(405);
    // The rest of it is not read: the connection may break before there is an answer.
    const large = await deliver(url, 'x'.repeat(1024 ** 2 + 1)).catch(() => 413);
    expect(large).toBe(413);
    expect((await fetch(url, { method: 'POST', body: 'no json' })).status).toBe(204);
    await listening.interrupt();
    expect(listening.stdout()).toBe('signature WRONG (Missing required headers)  no outcome\n');
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in deliveries: %s', async (_, text) => {
    const listening = listen('--secret', SECRET);
    await deliver(await listening.url(), JSON.stringify({ ...OUTCOME, type: text, user: { id: text } }));
    await listening.interrupt();
    expect(listening.stdout()).toMatch(HARMLESS);
    expect(listening.stdout().split('\n')).toHaveLength(2);
  });

  it('says how to start a service that refuses the local address', async () => {
    const detail = 'url: must begin with https://, or be in LAUREL_WEBHOOK_ALLOW';
    await answering({ 'POST /admin/v1/webhooks': refused('invalid_request', detail) });
    const listening = listen();
    expect(await listening.exitCode).toBe(2);
    expect(listening.stderr()).toMatch(
      /the service does not send to http:\/\/127\.0\.0\.1:\d+\/: start it with LAUREL_WEBHOOK_ALLOW=127\.0\.0\.1/,
    );
  });

  it('names the webhook that is left when it cannot be deleted', async () => {
    await answering({ ...OF_ONE, [`DELETE /admin/v1/webhooks/${ID}`]: 'drop' });
    const listening = listen();
    await listening.url();
    expect(await listening.interrupt()).toBe(2);
    expect(listening.stderr()).toContain(`may be left: laurel webhooks delete ${ID}\n`);
  });

  it('refuses an invalid secret and a port in use', async () => {
    const wrong = listen('--secret', 'whsec_é');
    expect([await wrong.exitCode, wrong.stderr()]).toEqual([
      ...[2, expect.stringContaining('--secret must be the secret of a webhook')],
    ]);
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const busy = listen('--secret', SECRET, '--port', String(port));
    expect(await busy.exitCode).toBe(2);
    expect(busy.stderr()).toContain(`port ${port}: is in use; choose another with --port`);
    await new Promise((resolve) => server.close(resolve));
  });
});
