import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OAuthTokenError } from '@laurel/event-stream';
import { readEnvironment } from '@laurel/runtime';
import { makeTestCertificate } from '@laurel/testing/event-stream';
import { kafkaSecurity } from './kafka-security.ts';
import { refuseBrokers } from './refusals.ts';

type Given = Readonly<Record<string, string>>;

/** Of variables without their common beginning. */
const read = (given: Given) =>
  kafkaSecurity(
    readEnvironment(Object.fromEntries(Object.entries(given).map(([name, value]) => [`LAUREL_KAFKA_${name}`, value]))),
    Date.now(),
  );

describe('the security settings for Kafka', () => {
  let folder: string;
  const own = makeTestCertificate('laurel');
  const file = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeFileSync(file(name), text);
  const keyOf = ({ key }: typeof own) => key.export({ type: 'pkcs8', format: 'pem' }) as string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'laurel-kafka-security-'));
    write('cert', own.certificate);
    write('key', keyOf(own));
    write('other', keyOf(makeTestCertificate('another')));
    write('old', makeTestCertificate('laurel', { validAround: Date.now() - 10 * 86_400_000, keyOf: own }).certificate);
    write(
      'encrypted',
      own.key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'of the key' }) as string,
    );
    write('text', 'no PEM');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const withFiles = (given: Given): Given =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, /^CLIENT_(CERT|KEY)$/.test(name) ? file(value) : value]),
    );

  it('work without TLS and password, and with both', () => {
    expect(read({})).toEqual({ tls: null, sasl: null });
    expect(read({ TLS: 'true', SASL: 'plain:u:p' })).toEqual({
      tls: {},
      sasl: { mechanism: 'plain', username: 'u', password: 'p' },
    });
  });

  it('use the client certificate that the files contain at the time of use', () => {
    const { tls } = read(withFiles({ TLS: 'true', CLIENT_CERT: 'cert', CLIENT_KEY: 'key' }));
    const present = tls as () => object;
    expect(present()).toEqual({ cert: own.certificate, key: keyOf(own), passphrase: undefined });
    const next = makeTestCertificate('laurel');
    write('cert', next.certificate);
    expect(present()).toMatchObject({ cert: next.certificate });
    write('cert', own.certificate);
  });

  it('use a key with a passphrase', () => {
    const { tls } = read(
      withFiles({ TLS: 'true', CLIENT_CERT: 'cert', CLIENT_KEY: 'encrypted', CLIENT_KEY_PASSPHRASE: 'of the key' }),
    );
    expect((tls as () => object)()).toMatchObject({ passphrase: 'of the key' });
  });

  it('use OAuth client credentials', () => {
    const { sasl } = read({
      OAUTH_TOKEN_URL: 'https://idp.example/token',
      OAUTH_CLIENT_ID: 'laurel',
      OAUTH_CLIENT_SECRET: 'secret',
    });
    expect(sasl).toEqual({
      mechanism: 'oauthbearer',
      tokenUrl: 'https://idp.example/token',
      clientId: 'laurel',
      clientSecret: 'secret',
      scope: null,
      audience: null,
      extensions: {},
    });
  });

  it.each<[Given, string]>([
    [{ TLS: 'true', CLIENT_CERT: 'cert' }, 'CLIENT_KEY must be given with LAUREL_KAFKA_CLIENT_CERT'],
    [{ TLS: 'true', CLIENT_KEY: 'key' }, 'CLIENT_CERT must be given with LAUREL_KAFKA_CLIENT_KEY'],
    [{ CLIENT_KEY_PASSPHRASE: 'p' }, 'CLIENT_KEY must be given with LAUREL_KAFKA_CLIENT_KEY_PASSPHRASE'],
    [{ CLIENT_CERT: 'cert', CLIENT_KEY: 'key' }, 'CLIENT_CERT has no effect without LAUREL_KAFKA_TLS=true: set it'],
    [
      { TLS: 'true', CLIENT_CERT: 'nothing', CLIENT_KEY: 'key' },
      'CLIENT_CERT names a file that cannot be read: ENOENT',
    ],
    [
      { TLS: 'true', CLIENT_CERT: 'text', CLIENT_KEY: 'key' },
      'CLIENT_CERT must name a PEM file that begins with the certificate',
    ],
    [{ TLS: 'true', CLIENT_CERT: 'cert', CLIENT_KEY: 'text' }, 'CLIENT_KEY must name a PEM file with a private key'],
    [
      { TLS: 'true', CLIENT_CERT: 'cert', CLIENT_KEY: 'other' },
      'CLIENT_KEY does not belong to the certificate of LAUREL_KAFKA_CLIENT_CERT',
    ],
    [
      { TLS: 'true', CLIENT_CERT: 'cert', CLIENT_KEY: 'encrypted' },
      'CLIENT_KEY_PASSPHRASE must be given: the key of LAUREL_KAFKA_CLIENT_KEY is encrypted',
    ],
    [
      { TLS: 'true', CLIENT_CERT: 'cert', CLIENT_KEY: 'encrypted', CLIENT_KEY_PASSPHRASE: 'wrong' },
      'CLIENT_KEY_PASSPHRASE does not open the key of LAUREL_KAFKA_CLIENT_KEY',
    ],
    [
      { OAUTH_TOKEN_URL: 'https://a/', SASL: 'plain:u:p' },
      'SASL and LAUREL_KAFKA_OAUTH_TOKEN_URL exclude each other: unset one of them',
    ],
    [
      { OAUTH_TOKEN_URL: 'https://a/', OAUTH_CLIENT_ID: 'a' },
      'OAUTH_CLIENT_SECRET must be given with LAUREL_KAFKA_OAUTH_TOKEN_URL',
    ],
    [{ OAUTH_SCOPE: 'a' }, 'OAUTH_TOKEN_URL must be given with LAUREL_KAFKA_OAUTH_SCOPE'],
  ])('are refused for %j', (given, why) => {
    expect(() => read(withFiles(given))).toThrow(new Error(`LAUREL_KAFKA_${why}`));
  });

  it('are refused with an expired certificate', () => {
    expect(() => read(withFiles({ TLS: 'true', CLIENT_CERT: 'old', CLIENT_KEY: 'key' }))).toThrow(
      /^LAUREL_KAFKA_CLIENT_CERT names a certificate that expired on .* GMT$/,
    );
  });
});

describe('refuseBrokers', () => {
  const alert = (code: string) =>
    Object.assign(new Error('Connection error'), { name: 'KafkaJSConnectionError', code: `ERR_SSL_${code}` });

  it.each([
    [alert('SSLV3_ALERT_BAD_CERTIFICATE'), /set LAUREL_KAFKA_CLIENT_CERT and LAUREL_KAFKA_CLIENT_KEY$/],
    [alert('TLSV13_ALERT_CERTIFICATE_REQUIRED'), /set LAUREL_KAFKA_CLIENT_CERT and LAUREL_KAFKA_CLIENT_KEY$/],
    [alert('TLSV1_ALERT_UNKNOWN_CA'), /set LAUREL_KAFKA_CLIENT_CERT and LAUREL_KAFKA_CLIENT_KEY$/],
    [alert('TLSV1_ALERT_PROTOCOL_VERSION'), /cannot be used: Connection error$/],
    [new OAuthTokenError('TOKEN_UNAVAILABLE', 'no token'), /: no token\. Check LAUREL_KAFKA_OAUTH_TOKEN_URL$/],
    [new OAuthTokenError('TOKEN_REQUEST_REFUSED', 'no token'), /Correct LAUREL_KAFKA_OAUTH_CLIENT_ID and/],
    [new OAuthTokenError('TOKEN_REFUSED', 'no'), /Set LAUREL_KAFKA_OAUTH_SCOPE and LAUREL_KAFKA_OAUTH_AUDIENCE to/],
  ])('names the variable to correct: %s', (error, sentence) => {
    expect(() => refuseBrokers(error)).toThrow(sentence);
  });
});
