import { errorCode } from '@laurel/ports';
import { systemClock } from '@laurel/testing/clock';
import {
  makeTestCertificate,
  startTestBroker,
  TokenServer,
  writeAndRead,
  type SecuredListener,
  type TestCertificate,
} from '@laurel/testing/event-stream';
import { Logger } from '@nestjs/common';
import type { KafkaSettings } from './kafka-client.ts';
import { KafkaEventStream } from './kafka-event-stream.ts';
import type { KafkaOAuth } from './oauth-bearer.ts';

Logger.overrideLogger(false);

/** With LAUREL_KAFKA_BROKERS the broker is not ours to be told how to listen. */
const describeWithOwnBroker = process.env['LAUREL_KAFKA_BROKERS'] ? describe.skip : describe;

describeWithOwnBroker('at brokers that require them,', () => {
  const authority = makeTestCertificate('authority of the test');
  let tokens: TokenServer;
  let broker: Awaited<ReturnType<typeof startTestBroker>>;
  let listener: SecuredListener;
  const opened: KafkaEventStream[] = [];
  const logged: string[] = [];

  beforeAll(async () => {
    tokens = await TokenServer.open();
    const { jwksUrl, issuer, audience } = tokens;
    broker = await startTestBroker({
      secured: true,
      clients: { authority: authority.certificate, tokens: { jwksUrl, issuer, audience } },
    });
    listener = broker.secured as SecuredListener;
  });
  afterAll(async () => {
    await Promise.all(opened.map((stream) => stream.close()));
    await broker.dispose();
    await tokens.close();
  });
  beforeEach(() => {
    Object.assign(tokens, { misbehave: null, grantedAudience: tokens.audience, lifetimeSeconds: 300 });
    tokens.issued.length = 0;
  });

  const streamOf = (settings: Pick<KafkaSettings, 'brokers' | 'tls' | 'sasl'>): KafkaEventStream => {
    const log = (...line: readonly unknown[]) => void logged.push(JSON.stringify(line));
    const stream = new KafkaEventStream({ clientId: 'test', clock: systemClock, log, ...settings });
    opened.push(stream);
    return stream;
  };
  const codeOf = (refused: Promise<unknown>): Promise<string | null> =>
    refused.then(
      () => 'none',
      (error: unknown) => errorCode(error),
    );

  describe('client certificates', () => {
    const options = (client: TestCertificate | null) => ({
      ca: listener.certificate,
      ...(client && { cert: client.certificate, key: client.key.export({ type: 'pkcs8', format: 'pem' }) }),
    });
    const certificate = (more: object = {}) => makeTestCertificate('laurel', { signedBy: authority, ...more });

    it('allow writing and reading if the authority signed them', async () => {
      const stream = streamOf({ brokers: listener.mutual, tls: options(certificate()) });
      expect(await writeAndRead(stream, 'by-certificate')).toEqual(['1']);
    });

    it('are refused if they have expired', async () => {
      const expired = certificate({ validAround: Date.now() - 10 * 86_400_000 });
      const stream = streamOf({ brokers: listener.mutual, tls: options(expired) });
      expect(await codeOf(stream.openProducer())).toMatch(/^ERR_SSL_.*_ALERT_/);
    });

    it('are read again for each new connection', async () => {
      const present = [null, certificate()];
      const stream = streamOf({ brokers: listener.mutual, tls: () => options(present.shift() ?? null) });
      await (await stream.openProducer()).close();
      expect(present).toEqual([]);
    });
  });

  describe('OAuth tokens', () => {
    const sasl = (more: Partial<KafkaOAuth> = {}): KafkaOAuth => ({
      mechanism: 'oauthbearer',
      tokenUrl: tokens.tokenUrl,
      clientId: tokens.clientId,
      clientSecret: tokens.clientSecret,
      scope: 'kafka',
      audience: null,
      extensions: {},
      ...more,
    });
    const stream = (more?: Partial<KafkaOAuth>) =>
      streamOf({ brokers: listener.bearer, tls: { ca: listener.certificate }, sasl: sasl(more) });

    it('are shared by all connections', async () => {
      expect(await writeAndRead(stream({ extensions: { traceId: '17' } }), 'by-token')).toEqual(['1']);
      expect(tokens.issued).toHaveLength(1);
    });

    it('are renewed after the session and the first token have expired', async () => {
      tokens.lifetimeSeconds = 20;
      expect((await writeAndRead(stream(), 'for-longer', 22_000)).length).toBeGreaterThan(20);
      expect(tokens.issued.length).toBeGreaterThan(1);
    });

    it.each([
      ['a wrong secret', { clientSecret: 'another' }, '401, invalid_client, unknown client', 'TOKEN_REQUEST_REFUSED'],
      ['an unreachable endpoint', { tokenUrl: 'http://127.0.0.1:2/token' }, 'ECONNREFUSED', 'TOKEN_UNAVAILABLE'],
    ])('cannot be obtained with %s', async (_what, settings, why, code) => {
      const refused = stream(settings).openProducer();
      await expect(refused).rejects.toThrow(why);
      expect(await codeOf(refused)).toBe(code);
    });

    it("are refused with the brokers' reason", async () => {
      tokens.grantedAudience = 'somebody else';
      const refused = stream().openProducer();
      await expect(refused).rejects.toThrow('the brokers refuse the token: {"status":"invalid_token"');
      expect(await codeOf(refused)).toBe('TOKEN_REFUSED');
    });

    it('do not appear in the log, nor does the secret', () => {
      expect(logged.length).toBeGreaterThan(0);
      for (const secret of [tokens.clientSecret, 'Bearer', 'eyJ']) expect(logged.join('\n')).not.toContain(secret);
    });
  });
});
