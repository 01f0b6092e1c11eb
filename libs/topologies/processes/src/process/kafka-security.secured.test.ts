import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KafkaEventStream } from '@laurel/event-stream';
import { readEnvironment } from '@laurel/runtime';
import { systemClock } from '@laurel/testing/clock';
import { makeTestCertificate, startTestBroker, TokenServer, type SecuredListener } from '@laurel/testing/event-stream';
import { kafkaSecurity } from './kafka-security.ts';
import { refuseBrokers } from './refusals.ts';

/** With LAUREL_KAFKA_BROKERS the broker is not ours to be told how to listen. */
const describeWithOwnBroker = process.env['LAUREL_KAFKA_BROKERS'] ? describe.skip : describe;

describeWithOwnBroker('a process that starts with the variables for Kafka', () => {
  const authority = makeTestCertificate('authority of the test');
  let folder: string;
  let tokens: TokenServer;
  let broker: Awaited<ReturnType<typeof startTestBroker>>;
  let listener: SecuredListener;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'laurel-kafka-security-'));
    tokens = await TokenServer.open();
    const { jwksUrl, issuer, audience } = tokens;
    const clients = { authority: authority.certificate, tokens: { jwksUrl, issuer, audience } };
    broker = await startTestBroker({ secured: true, clients });
    listener = broker.secured as SecuredListener;
  });
  afterAll(async () => {
    await broker.dispose();
    await tokens.close();
    rmSync(folder, { recursive: true });
  });

  /** As `runProcess` does; what NODE_EXTRA_CA_CERTS names is read only when Node starts. */
  const start = async (brokers: readonly string[], variables: Readonly<Record<string, string>>): Promise<void> => {
    const environment = readEnvironment({ LAUREL_KAFKA_TLS: 'true', ...variables });
    const { tls, sasl } = kafkaSecurity(environment, Date.now());
    const trusting = () => ({ ...(typeof tls === 'function' ? tls() : tls), ca: listener.certificate });
    const stream = new KafkaEventStream({
      brokers,
      clientId: 'test',
      clock: systemClock,
      tls: trusting,
      sasl: sasl ?? null,
    });
    const topic = { name: 'started', partitions: 1, replication: 1, retentionMs: null, compactionLagMs: null };
    await stream
      .ensureTopics([topic])
      .catch(refuseBrokers)
      .finally(() => stream.close());
  };
  const files = (client: ReturnType<typeof makeTestCertificate>) => {
    const key = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'of the key' } as const;
    writeFileSync(join(folder, 'client.pem'), client.certificate);
    writeFileSync(join(folder, 'client.key'), client.key.export(key));
    return {
      LAUREL_KAFKA_CLIENT_CERT: join(folder, 'client.pem'),
      LAUREL_KAFKA_CLIENT_KEY: join(folder, 'client.key'),
      LAUREL_KAFKA_CLIENT_KEY_PASSPHRASE: 'of the key',
    };
  };
  const oauth = (more: Readonly<Record<string, string>> = {}) => ({
    LAUREL_KAFKA_OAUTH_TOKEN_URL: tokens.tokenUrl,
    LAUREL_KAFKA_OAUTH_CLIENT_ID: tokens.clientId,
    LAUREL_KAFKA_OAUTH_CLIENT_SECRET: tokens.clientSecret,
    ...more,
  });

  it('is admitted with its certificate and with its token', async () => {
    await start(listener.mutual, files(makeTestCertificate('laurel', { signedBy: authority })));
    await start(listener.bearer, oauth());
  });

  it.each([
    ['an untrusted certificate', () => files(makeTestCertificate('laurel'))],
    ['no certificate', () => ({})],
  ])('says which variable to set with %s', async (_what, variables) => {
    await expect(start(listener.mutual, variables())).rejects.toThrow(
      /^the brokers of LAUREL_KAFKA_BROKERS cannot be used: .*\. They ask for a client certificate that they trust: set LAUREL_KAFKA_CLIENT_CERT/s,
    );
  });

  it('says which variable to correct when the token is refused by the provider or by the brokers', async () => {
    const wrong = oauth({ LAUREL_KAFKA_OAUTH_CLIENT_SECRET: 'another' });
    await expect(start(listener.bearer, wrong)).rejects.toThrow(
      /: no token from .*: status 401, invalid_client, .*\. Correct LAUREL_KAFKA_OAUTH_CLIENT_ID and LAUREL_KAFKA_OAUTH_CLIENT_SECRET/,
    );
    tokens.grantedAudience = 'somebody else';
    await expect(start(listener.bearer, oauth())).rejects.toThrow(
      /: the brokers refuse the token: .*invalid_token.*\. Set LAUREL_KAFKA_OAUTH_SCOPE and LAUREL_KAFKA_OAUTH_AUDIENCE/,
    );
  });
});
