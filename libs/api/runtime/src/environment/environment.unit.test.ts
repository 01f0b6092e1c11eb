import { EnvironmentError, readEnvironment } from './environment.ts';

const problemsOf = (variables: Record<string, string>): string => {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
  }
  throw new Error('it was accepted');
};

describe('readEnvironment', () => {
  it('has a default for every variable', () => {
    expect(readEnvironment({ LAUREL_CONFIG: '' })).toEqual({
      port: 3000,
      host: '127.0.0.1',
      maxConnections: 4_000,
      maxPipelined: 8,
      keepAliveSeconds: 72,
      config: null,
      dataDir: './.laurel',
      apiKey: null,
      userSearch: 'off',
      databaseUrl: null,
      kafkaBrokers: null,
      kafkaTls: false,
      kafkaSasl: null,
      kafkaClientCert: null,
      kafkaClientKey: null,
      kafkaClientKeyPassphrase: null,
      kafkaOAuthTokenUrl: null,
      kafkaOAuthClientId: null,
      kafkaOAuthClientSecret: null,
      kafkaOAuthScope: null,
      kafkaOAuthAudience: null,
      kafkaOAuthExtensions: null,
      eventStoreUrl: null,
      clock: { type: 'system' },
      logLevel: 'info',
      metrics: null,
      service: null,
      steps: null,
      internalToken: null,
      internalPort: 3100,
      advertisedHost: null,
      partitions: 12,
      replication: 1,
      queryUrl: null,
      outgoingUrl: null,
      answerLimitMs: 10_000,
      console: true,
      publicUrl: null,
      webhookAllow: [],
      secretsKey: null,
      webhookRetryPermille: 1_000,
    });
  });

  it('reads every variable', () => {
    const environment = readEnvironment({
      LAUREL_PORT: '0',
      LAUREL_HOST: '0.0.0.0',
      LAUREL_MAX_CONNECTIONS: '100',
      LAUREL_MAX_PIPELINED: '1',
      LAUREL_KEEP_ALIVE_S: '120',
      LAUREL_CONFIG: 'laurel.yaml',
      LAUREL_DATA_DIR: '/data',
      LAUREL_API_KEY: ' any string of 24 characters ',
      LAUREL_DATABASE_URL: 'postgres://u:p@host/laurel',
      LAUREL_KAFKA_BROKERS: 'a:9092, b:9093',
      LAUREL_KAFKA_TLS: 'true',
      LAUREL_KAFKA_SASL: 'SCRAM-SHA-512:laurel:with:colons\n',
      LAUREL_KAFKA_CLIENT_CERT: '/etc/laurel/client.pem',
      LAUREL_KAFKA_CLIENT_KEY: '/etc/laurel/client.key',
      LAUREL_KAFKA_CLIENT_KEY_PASSPHRASE: 'of the key\n',
      LAUREL_KAFKA_OAUTH_TOKEN_URL: 'https://idp.example/token?tenant=a',
      LAUREL_KAFKA_OAUTH_CLIENT_ID: 'laurel',
      LAUREL_KAFKA_OAUTH_CLIENT_SECRET: 'of the client\n',
      LAUREL_KAFKA_OAUTH_SCOPE: 'read write',
      LAUREL_KAFKA_OAUTH_AUDIENCE: 'kafka',
      LAUREL_KAFKA_OAUTH_EXTENSIONS: 'logicalCluster=lkc-1, identityPoolId=pool=1',
      LAUREL_EVENTSTORE_URL: 'esdb://host:2113?tls=false',
      LAUREL_CLOCK: '2026-01-31T12:00:00Z,frozen',
      LAUREL_LOG_LEVEL: 'WARN',
      LAUREL_METRICS: 'Public',
      LAUREL_SERVICE: 'points-service',
      LAUREL_STEPS: 'achievements, points',
      LAUREL_INTERNAL_TOKEN: 'any token of 24 characters',
      LAUREL_INTERNAL_PORT: '4000',
      LAUREL_ADVERTISED_HOST: '10.0.0.7',
      LAUREL_PARTITIONS: '24',
      LAUREL_REPLICATION: '3',
      LAUREL_QUERY_URL: 'http://query-gateway:3000',
      LAUREL_OUTGOING_URL: 'http://outgoing:3000',
      LAUREL_ANSWER_LIMIT_MS: '2500',
      LAUREL_CONSOLE: 'off',
      LAUREL_PUBLIC_URL: 'https://example.org/laurel/',
      LAUREL_USER_SEARCH: 'On',
      LAUREL_WEBHOOK_ALLOW: '10.0.0.0/8, ::1,mail.internal',
      LAUREL_SECRETS_KEY: 'any secret of 24 characters',
      LAUREL_WEBHOOK_RETRY_PERMILLE: '5',
    });
    expect(environment).toEqual({
      port: 0,
      host: '0.0.0.0',
      maxConnections: 100,
      maxPipelined: 1,
      keepAliveSeconds: 120,
      config: 'laurel.yaml',
      dataDir: '/data',
      apiKey: 'any string of 24 characters',
      databaseUrl: 'postgres://u:p@host/laurel',
      kafkaBrokers: ['a:9092', 'b:9093'],
      kafkaTls: true,
      kafkaSasl: { mechanism: 'scram-sha-512', username: 'laurel', password: 'with:colons' },
      kafkaClientCert: '/etc/laurel/client.pem',
      kafkaClientKey: '/etc/laurel/client.key',
      kafkaClientKeyPassphrase: 'of the key',
      kafkaOAuthTokenUrl: 'https://idp.example/token?tenant=a',
      kafkaOAuthClientId: 'laurel',
      kafkaOAuthClientSecret: 'of the client',
      kafkaOAuthScope: 'read write',
      kafkaOAuthAudience: 'kafka',
      kafkaOAuthExtensions: { logicalCluster: 'lkc-1', identityPoolId: 'pool=1' },
      eventStoreUrl: 'esdb://host:2113?tls=false',
      clock: { type: 'frozen', at: Date.UTC(2026, 0, 31, 12) },
      logLevel: 'warn',
      metrics: 'public',
      service: 'points-service',
      steps: ['achievements', 'points'],
      internalToken: 'any token of 24 characters',
      internalPort: 4000,
      advertisedHost: '10.0.0.7',
      partitions: 24,
      replication: 3,
      queryUrl: 'http://query-gateway:3000',
      outgoingUrl: 'http://outgoing:3000',
      answerLimitMs: 2_500,
      console: false,
      publicUrl: 'https://example.org/laurel',
      userSearch: 'on',
      webhookAllow: ['10.0.0.0/8', '::1', 'mail.internal'],
      secretsKey: 'any secret of 24 characters',
      webhookRetryPermille: 5,
    });
    expect(readEnvironment({ LAUREL_CLOCK: '2026-01-31T12:00:00Z' }).clock.type).toBe('started');
  });

  it('refuses internal settings that are out of range or unusable addresses', () => {
    const problems = problemsOf({
      LAUREL_INTERNAL_TOKEN: 'short',
      LAUREL_PARTITIONS: '0',
      LAUREL_REPLICATION: 'three',
      LAUREL_QUERY_URL: 'ftp://x',
      LAUREL_ANSWER_LIMIT_MS: '99',
    });
    for (const name of ['INTERNAL_TOKEN', 'PARTITIONS', 'REPLICATION', 'QUERY_URL', 'ANSWER_LIMIT_MS'])
      expect(problems).toContain(`LAUREL_${name} must`);
    expect(problems).not.toContain('short');
  });

  it.each([
    ['postgres://laurel:pa#ss@db/laurel', '#', '%23'],
    ['postgres://laurel:12#ss@db/laurel', '#', '%23'],
    ['postgres://laurel:pa/ss@db/laurel', '/', '%2F'],
    ['postgres://laurel:12/ss@db:5432/laurel', '/', '%2F'],
    ['postgresql://laurel:pa?ss@db/laurel', '?', '%3F'],
    ['postgresql://laurel:12?ss@db/laurel', '?', '%3F'],
    ['postgres://lau#rel:12@db/laurel', '#', '%23'],
    ['postgres://laurel:100%@db/laurel', '%', '%25'],
  ])('says that a character of a password must be percent-encoded: %s', (url, character, encoded) => {
    expect(problemsOf({ LAUREL_DATABASE_URL: url })).toBe(
      `LAUREL_DATABASE_URL has ${character} in its user name or password: percent-encode it, as ${encoded}`,
    );
  });

  it.each([
    'postgres://laurel:p%23%2F%3F@db:5432/laurel',
    'postgres://laurel:p@ss@db/laurel',
    'postgres://db:5432/la@urel?application_name=a@b',
    'postgres://[::1]:5432/laurel?user=ada@db',
    'postgres://laurel@localhost/laurel?host=%2Fvar%2Frun',
  ])('accepts %s unchanged', (databaseUrl) => {
    expect(readEnvironment({ LAUREL_DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl });
  });

  it.each([
    ['https://ada:secret@laurel.example', 'must have no user name and no password'],
    ['https://laurel.example/?a=b', 'must have no query and no fragment'],
    ['laurel.example', 'must be a URL that begins with http:// or https://'],
    [
      'https://laurel.example/api/laurel',
      'must have a path that does not begin with /api, which is a path of the service itself',
    ],
  ])('refuses %s as the public address', (url, why) => {
    expect(problemsOf({ LAUREL_PUBLIC_URL: url })).toBe(`LAUREL_PUBLIC_URL ${why}`);
  });

  it.each(['oauthbearer:user:secret', 'plain:user', 'plain::secret', 'plain:user:', 'secret'])(
    'refuses %s as Kafka credentials without repeating it',
    (sasl) => {
      const problems = problemsOf({ LAUREL_KAFKA_SASL: sasl, LAUREL_KAFKA_TLS: 'yes' });
      expect(problems).toBe(
        'LAUREL_KAFKA_TLS must be true or false\n' +
          'LAUREL_KAFKA_SASL must be MECHANISM:USER:PASSWORD, the mechanism one of plain, scram-sha-256, scram-sha-512',
      );
    },
  );

  it.each(['a', 'a=', '=b', 'a1=b', 'auth=b', 'a=b,a=c', 'a=b,', 'a=\u0001'])(
    'refuses %j as SASL extensions',
    (extensions) =>
      expect(problemsOf({ LAUREL_KAFKA_OAUTH_EXTENSIONS: extensions })).toBe(
        'LAUREL_KAFKA_OAUTH_EXTENSIONS must be a list name=value,name=value, each name once, of letters, and not auth',
      ),
  );

  it('refuses a password in the address of the token endpoint', () => {
    expect(problemsOf({ LAUREL_KAFKA_OAUTH_TOKEN_URL: 'https://laurel:secret@idp.example/token' })).toBe(
      'LAUREL_KAFKA_OAUTH_TOKEN_URL must have no user name and no password',
    );
  });

  it.each(['10.0.0.0/33', '10.0.0', '::1/129', '10.0.0.0/', 'http://a', 'a b', 'a/8', '10.0.0.0/8/8', 'a,,b', '-/1'])(
    'refuses %s as destinations of webhooks',
    (hosts) =>
      expect(problemsOf({ LAUREL_WEBHOOK_ALLOW: hosts })).toBe(
        'LAUREL_WEBHOOK_ALLOW must be a list of addresses, ranges such as 10.0.0.0/8, and names of hosts',
      ),
  );

  it('names every invalid variable in one error', () => {
    const message = problemsOf({
      LAUREL_PORT: '65536',
      LAUREL_API_KEY: 'short',
      LAUREL_DATABASE_URL: 'mysql://host',
      LAUREL_KAFKA_BROKERS: 'nowhere',
      LAUREL_EVENTSTORE_URL: 'http://host',
      LAUREL_CLOCK: 'tomorrow',
      LAUREL_LOG_LEVEL: 'loud',
    });
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'LAUREL_PORT',
      'LAUREL_DATABASE_URL',
      'LAUREL_API_KEY',
      'LAUREL_LOG_LEVEL',
      'LAUREL_CLOCK',
      'LAUREL_KAFKA_BROKERS',
      'LAUREL_EVENTSTORE_URL',
    ]);
  });

  it('never repeats a secret in its error', () => {
    expect(problemsOf({ LAUREL_API_KEY: 'tiny-secret' })).not.toContain('tiny-secret');
    expect(problemsOf({ LAUREL_DATABASE_URL: 'mysql://u:secret@h' })).not.toContain('secret');
    expect(problemsOf({ LAUREL_API_KEY: 'a key with\na line break in it' })).toContain('LAUREL_API_KEY');
  });
});
