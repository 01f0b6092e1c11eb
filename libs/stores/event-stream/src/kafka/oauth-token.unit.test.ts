import type { CancelTimer, Clock } from '@laurel/ports';
import { TokenServer } from '@laurel/testing/event-stream';
import { OAuthTokens, type OAuthSettings } from './oauth-token.ts';

/** Its limits run out when the test says so. */
class HandClock implements Clock {
  elapsed = 0;
  runOut: () => void = () => undefined;

  now(): number {
    return this.elapsed;
  }

  elapsedMs(): number {
    return this.elapsed;
  }

  after(_delayMs: number, task: () => void): CancelTimer {
    this.runOut = task;
    return () => undefined;
  }
}

describe('OAuth tokens by client credentials', () => {
  let server: TokenServer;
  let clock: HandClock;

  beforeEach(async () => {
    server = await TokenServer.open();
    clock = new HandClock();
  });
  afterEach(() => server.close());

  const tokensOf = (more: Partial<OAuthSettings> = {}): OAuthTokens => {
    const { tokenUrl, clientId, clientSecret } = server;
    return new OAuthTokens({ tokenUrl, clientId, clientSecret, scope: null, audience: null, ...more }, clock);
  };
  const refuse = (status: number, body: string) => {
    server.misbehave = (response) => response.writeHead(status, { location: server.jwksUrl }).end(body);
  };

  it('are requested with id and secret in the header, and with scope and audience', async () => {
    await tokensOf({ scope: 'a b', audience: 'kafka' }).current();
    await tokensOf().current();
    expect(server.requests.map(({ form }) => form)).toEqual([
      { grant_type: 'client_credentials', scope: 'a b', audience: 'kafka' },
      { grant_type: 'client_credentials' },
    ]);
  });

  it('are shared by all callers until a minute before they expire', async () => {
    const tokens = tokensOf();
    const [first, second] = await Promise.all([tokens.current(), tokens.current()]);
    clock.elapsed = 239_999;
    expect([second, await tokens.current()]).toEqual([first, first]);
    clock.elapsed = 240_000;
    expect(await tokens.current()).not.toBe(first);
    expect(server.issued).toHaveLength(2);
  });

  it('are requested each time if their lifetime is unknown or only seconds', async () => {
    for (const lifetime of [0, 8]) {
      server.lifetimeSeconds = lifetime;
      const tokens = tokensOf();
      expect(await tokens.current()).not.toBe(await tokens.current());
    }
  });

  it('are used for their whole lifetime if no new one can be obtained', async () => {
    const tokens = tokensOf();
    const first = await tokens.current();
    refuse(503, '');
    clock.elapsed = 289_999;
    expect(await tokens.current()).toBe(first);
    clock.elapsed = 290_000;
    await expect(tokens.current()).rejects.toThrow('status 503');
    server.misbehave = null;
    expect(await tokens.current()).not.toBe(first);
  });

  it.each([
    [400, '{"error":"invalid_scope"}', 'status 400, invalid_scope', false],
    [302, '', 'status 302', false],
    [429, '{"error":"slow_down"}', 'status 429, slow_down', true],
    [500, '<html>', 'status 500', true],
    [200, '{}', 'the answer has no access_token', true],
    [200, '{"access_token":"a\\u0001auth=b"}', 'the answer has no access_token', true],
    [200, '"', 'the answer has no access_token', true],
    [200, ' '.repeat(70_000), 'the answer is longer than 65536 bytes', true],
  ])('cannot be obtained from an answer with status %i %#', async (status, body, why, retriable) => {
    refuse(status, body);
    await expect(tokensOf().current()).rejects.toMatchObject({
      message: `no token from ${server.tokenUrl}: ${why}`,
      retriable,
    });
  });

  it('are awaited for 4 s', async () => {
    server.misbehave = () => clock.runOut();
    await expect(tokensOf().current()).rejects.toThrow('no answer within 4000 ms');
    server.misbehave = (response) => {
      response.writeHead(200).write('{');
      setTimeout(() => clock.runOut(), 50);
    };
    await expect(tokensOf().current()).rejects.toThrow('no answer within 4000 ms');
  });
});
