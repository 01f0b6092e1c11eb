import type { AreaName } from '@laurel/kernel/areas';
import {
  CHAIN_SERVICES,
  GATEWAYS,
  OUTGOING_SERVICE,
  serviceOf,
  type ChainServiceName,
  type GatewayName,
  type OutgoingServiceName,
} from '@laurel/ports/topology';
import { DEFAULT_HTTP_LIMITS } from './http-limits.ts';
import {
  oneOf,
  parseApiKey,
  parseBoolean,
  parseBrokers,
  parseClock,
  parseEndpoint,
  parseExtensions,
  parseHosts,
  parseLogLevel,
  parseMetricsAccess,
  parsePort,
  parsePublicUrl,
  parseSasl,
  parseSecret,
  parseSteps,
  parseSwitch,
  parseText,
  urlOf,
  wholeNumber,
  type ClockSetting,
  type KafkaSasl,
  type LogLevel,
  type MetricsAccess,
  type Parse,
} from './variable-parsers.ts';

/** The programs of a deployment that read variables. */
export type Reader = 'standalone' | 'command line' | GatewayName | ChainServiceName | OutgoingServiceName;

export interface EnvironmentVariable<T> {
  readonly name: `LAUREL_${string}`;
  /** Not called for an empty text, which counts as not set. */
  readonly parse: Parse<T>;
  readonly fallback: T;
  readonly readBy: readonly Reader[];
  /** Set if processes of the distributed topology refuse to start without it. */
  readonly requiredDistributed?: true;
  /** Whether all processes of the distributed topology need the same value. */
  readonly shared?: true;
  /** Set for a secret, which is never printed, logged or repeated in an error. */
  readonly secret?: true;
  /** The form of the value, for documentation. */
  readonly form?: string;
  /** The default in words, if the value alone does not explain it. */
  readonly shownDefault?: string;
  /** One line of documentation. */
  readonly about: string;
}

const variable = <T>(entry: EnvironmentVariable<T>): EnvironmentVariable<T> => entry;

const SERVICES = CHAIN_SERVICES.map(({ name }) => name);
const GATEWAY_NAMES = GATEWAYS.map(({ name }) => name);
const DISTRIBUTED = [...GATEWAY_NAMES, ...SERVICES, OUTGOING_SERVICE.name];
const SERVERS: readonly Reader[] = ['standalone', ...DISTRIBUTED];
const CALLED = [...GATEWAY_NAMES, serviceOf('leaderboards').name];

export const DEFAULT_DATA_DIR = './.laurel';

/**
 * All variables of the processes and of the command line, by their names in {@link Environment}. Other names are
 * unknown. `npm run generate` makes the tables of the documentation from this one.
 */
export const ENVIRONMENT_VARIABLES = {
  port: variable({
    name: 'LAUREL_PORT',
    parse: parsePort,
    fallback: 3000,
    readBy: [...SERVERS, 'command line'],
    about: 'port of the HTTP server; `0`: any free port',
  }),
  host: variable({
    name: 'LAUREL_HOST',
    parse: parseText,
    fallback: '127.0.0.1',
    readBy: SERVERS,
    about: 'address that it listens on; `0.0.0.0` lets other machines in',
  }),
  maxConnections: variable({
    name: 'LAUREL_MAX_CONNECTIONS',
    parse: wholeNumber(1, 1_000_000),
    fallback: DEFAULT_HTTP_LIMITS.connections,
    readBy: SERVERS,
    about: 'TCP connections open at a time; one more is closed at once',
  }),
  maxPipelined: variable({
    name: 'LAUREL_MAX_PIPELINED',
    parse: wholeNumber(1, 1_000),
    fallback: DEFAULT_HTTP_LIMITS.requestsPerConnection,
    readBy: SERVERS,
    about: 'requests of one connection in progress at a time; further ones wait',
  }),
  keepAliveSeconds: variable({
    name: 'LAUREL_KEEP_ALIVE_S',
    parse: wholeNumber(1, 3_600),
    fallback: DEFAULT_HTTP_LIMITS.keepAliveSeconds,
    readBy: SERVERS,
    about: 'seconds for which an idle connection stays open, 1–3,600; more than your load balancer keeps its own',
  }),
  config: variable<string | null>({
    name: 'LAUREL_CONFIG',
    parse: parseText,
    fallback: null,
    readBy: ['standalone', 'ingestion-gateway'],
    shownDefault: 'none: the version in force; the demo in a new embedded database',
    about: 'the configuration file; give every ingestion gateway the same one',
  }),
  dataDir: variable({
    name: 'LAUREL_DATA_DIR',
    parse: parseText,
    fallback: DEFAULT_DATA_DIR,
    readBy: ['standalone', 'command line'],
    about: 'folder of the embedded database and of the local socket, whatever the configuration',
  }),
  userSearch: variable<'on' | 'off'>({
    name: 'LAUREL_USER_SEARCH',
    parse: oneOf(['on', 'off']),
    fallback: 'off',
    readBy: ['standalone', serviceOf('users').name],
    about: 'whether users are found by e-mail and name; `off` drops the index. Give every instance the same',
  }),
  databaseUrl: variable<string | null>({
    name: 'LAUREL_DATABASE_URL',
    parse: urlOf('postgres:', 'postgresql:'),
    fallback: null,
    readBy: [...SERVERS, 'command line'],
    requiredDistributed: true,
    shared: true,
    secret: true,
    form: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    shownDefault: 'none: embedded',
    about: 'a Postgres server of your own: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`',
  }),
  apiKey: variable<string | null>({
    name: 'LAUREL_API_KEY',
    parse: parseApiKey,
    fallback: null,
    readBy: ['standalone', ...GATEWAY_NAMES, OUTGOING_SERVICE.name, 'command line'],
    shared: true,
    secret: true,
    shownDefault: 'none: one is made at the first start and shown once',
    about: 'any text of at least 24 characters: a key with every scope',
  }),
  console: variable({
    name: 'LAUREL_CONSOLE',
    parse: parseSwitch,
    fallback: true,
    readBy: ['standalone', 'ingestion-gateway', 'query-gateway', OUTGOING_SERVICE.name],
    shownDefault: '`on`',
    about: '`off`: no console at `/console`, and nobody signs in with a browser',
  }),
  publicUrl: variable<string | null>({
    name: 'LAUREL_PUBLIC_URL',
    parse: parsePublicUrl,
    fallback: null,
    readBy: ['standalone', 'ingestion-gateway'],
    shownDefault: 'none: browsers sign in from this machine only',
    about:
      'address under which browsers reach this service, with the path if it has one; with `https` they may sign in from anywhere',
  }),
  webhookAllow: variable<readonly string[]>({
    name: 'LAUREL_WEBHOOK_ALLOW',
    parse: parseHosts,
    fallback: [],
    readBy: ['standalone', OUTGOING_SERVICE.name],
    form: 'ADDRESS,RANGE,HOST',
    shownDefault: 'none: public addresses over https only',
    about:
      'addresses, ranges (`10.0.0.0/8`) and hosts of your own network to which webhooks may be sent, over http as well',
  }),
  secretsKey: variable<string | null>({
    name: 'LAUREL_SECRETS_KEY',
    parse: parseApiKey,
    fallback: null,
    readBy: ['standalone', OUTGOING_SERVICE.name],
    secret: true,
    shownDefault:
      'none: `secrets.key` in the data folder, made when it is first needed; the outgoing service needs one',
    about: 'any text of at least 24 characters, by which the secrets of webhooks are encrypted where they are stored',
  }),
  webhookRetryPermille: variable({
    name: 'LAUREL_WEBHOOK_RETRY_PERMILLE',
    parse: wholeNumber(0, 1_000),
    fallback: 1_000,
    readBy: ['standalone', OUTGOING_SERVICE.name],
    about: 'for tests: how long webhooks wait for their next attempt, in thousandths of what they usually do',
  }),
  logLevel: variable<LogLevel>({
    name: 'LAUREL_LOG_LEVEL',
    parse: parseLogLevel,
    fallback: 'info',
    readBy: SERVERS,
    about: '`trace` `debug` `info` `warn` `error` `fatal` `silent`',
  }),
  metrics: variable<MetricsAccess | null>({
    name: 'LAUREL_METRICS',
    parse: parseMetricsAccess,
    fallback: null,
    readBy: SERVERS,
    shownDefault: '`local`; in the distributed topology `public`',
    about: 'who may read `/metrics`: `off` nobody, `local` callers on this machine, `public` everybody',
  }),
  clock: variable<ClockSetting>({
    name: 'LAUREL_CLOCK',
    parse: parseClock,
    fallback: { type: 'system' },
    readBy: [...SERVERS, 'command line'],
    shared: true,
    shownDefault: 'the machine’s clock',
    about: 'for tests and demos: an instant at which the clock starts, with `,frozen` behind it to stand still',
  }),
  kafkaBrokers: variable<readonly string[] | null>({
    name: 'LAUREL_KAFKA_BROKERS',
    parse: parseBrokers,
    fallback: null,
    readBy: DISTRIBUTED,
    requiredDistributed: true,
    shared: true,
    form: 'host:port,host:port',
    about: '`host:port,host:port`',
  }),
  kafkaTls: variable({
    name: 'LAUREL_KAFKA_TLS',
    parse: parseBoolean,
    fallback: false,
    readBy: DISTRIBUTED,
    shared: true,
    about: '`true`: TLS to the brokers; Node’s `NODE_EXTRA_CA_CERTS` names an authority of your own',
  }),
  kafkaSasl: variable<KafkaSasl | null>({
    name: 'LAUREL_KAFKA_SASL',
    parse: parseSasl,
    fallback: null,
    readBy: DISTRIBUTED,
    shared: true,
    secret: true,
    about: '`MECHANISM:USER:PASSWORD`; `plain`, `scram-sha-256` or `scram-sha-512`',
  }),
  kafkaClientCert: variable<string | null>({
    name: 'LAUREL_KAFKA_CLIENT_CERT',
    parse: parseText,
    fallback: null,
    readBy: DISTRIBUTED,
    about: 'PEM file with the client certificate for the brokers and its chain; read again for each connection',
  }),
  kafkaClientKey: variable<string | null>({
    name: 'LAUREL_KAFKA_CLIENT_KEY',
    parse: parseText,
    fallback: null,
    readBy: DISTRIBUTED,
    about: 'PEM file with the private key of that certificate',
  }),
  kafkaClientKeyPassphrase: variable<string | null>({
    name: 'LAUREL_KAFKA_CLIENT_KEY_PASSPHRASE',
    parse: parseSecret,
    fallback: null,
    readBy: DISTRIBUTED,
    secret: true,
    shownDefault: 'none: the key is not encrypted',
    about: 'passphrase of that key',
  }),
  kafkaOAuthTokenUrl: variable<string | null>({
    name: 'LAUREL_KAFKA_OAUTH_TOKEN_URL',
    parse: parseEndpoint,
    fallback: null,
    readBy: DISTRIBUTED,
    about: 'SASL OAUTHBEARER: the token endpoint that is asked by client credentials',
  }),
  kafkaOAuthClientId: variable<string | null>({
    name: 'LAUREL_KAFKA_OAUTH_CLIENT_ID',
    parse: parseText,
    fallback: null,
    readBy: DISTRIBUTED,
    about: 'id of the client at that endpoint',
  }),
  kafkaOAuthClientSecret: variable<string | null>({
    name: 'LAUREL_KAFKA_OAUTH_CLIENT_SECRET',
    parse: parseSecret,
    fallback: null,
    readBy: DISTRIBUTED,
    secret: true,
    about: 'secret of that client',
  }),
  kafkaOAuthScope: variable<string | null>({
    name: 'LAUREL_KAFKA_OAUTH_SCOPE',
    parse: parseText,
    fallback: null,
    readBy: DISTRIBUTED,
    about: 'scopes to ask for, separated by spaces',
  }),
  kafkaOAuthAudience: variable<string | null>({
    name: 'LAUREL_KAFKA_OAUTH_AUDIENCE',
    parse: parseText,
    fallback: null,
    readBy: DISTRIBUTED,
    about: 'audience to ask for, where the endpoint wants one',
  }),
  kafkaOAuthExtensions: variable<Readonly<Record<string, string>> | null>({
    name: 'LAUREL_KAFKA_OAUTH_EXTENSIONS',
    parse: parseExtensions,
    fallback: null,
    readBy: DISTRIBUTED,
    form: 'name=value,name=value',
    about: 'SASL extensions for the brokers, `name=value,name=value`',
  }),
  service: variable<ChainServiceName | null>({
    name: 'LAUREL_SERVICE',
    parse: oneOf(SERVICES),
    fallback: null,
    readBy: SERVICES,
    about: 'the service that a process of `apps/area-service` runs; the app of a service runs that service',
  }),
  steps: variable<readonly AreaName[] | null>({
    name: 'LAUREL_STEPS',
    parse: parseSteps,
    fallback: null,
    readBy: SERVICES,
    form: 'AREA,AREA',
    shownDefault: 'the areas of the service',
    about: 'adjacent areas applied in one step, such as `achievements,points`; `apps/area-service` has every area',
  }),
  internalToken: variable<string | null>({
    name: 'LAUREL_INTERNAL_TOKEN',
    parse: parseApiKey,
    fallback: null,
    readBy: DISTRIBUTED,
    requiredDistributed: true,
    shared: true,
    secret: true,
    form: 'at least 24 characters, the same for every process',
    about: 'at least 24 characters: the processes trust calls that carry it',
  }),
  eventStoreUrl: variable<string | null>({
    name: 'LAUREL_EVENTSTORE_URL',
    parse: urlOf('esdb:', 'esdb+discover:', 'kurrentdb:'),
    fallback: null,
    readBy: ['ingestion-gateway', OUTGOING_SERVICE.name],
    shared: true,
    secret: true,
    shownDefault: 'none: the log is in Postgres',
    about: '`esdb://…`, `esdb+discover://…` or `kurrentdb://…`',
  }),
  partitions: variable({
    name: 'LAUREL_PARTITIONS',
    parse: wholeNumber(1, 1_000),
    fallback: 12,
    readBy: DISTRIBUTED,
    shared: true,
    about: 'partitions of each topic, 1–1,000; cannot be changed later',
  }),
  replication: variable({
    name: 'LAUREL_REPLICATION',
    parse: wholeNumber(1, 9),
    fallback: 1,
    readBy: DISTRIBUTED,
    shared: true,
    about: 'copies of each topic, 1–9; read when a topic is created',
  }),
  internalPort: variable({
    name: 'LAUREL_INTERNAL_PORT',
    parse: parsePort,
    fallback: 3100,
    readBy: CALLED,
    about: 'port for calls of other processes; `0`: any free port',
  }),
  advertisedHost: variable<string | null>({
    name: 'LAUREL_ADVERTISED_HOST',
    parse: parseText,
    fallback: null,
    readBy: [...CALLED, OUTGOING_SERVICE.name],
    shownDefault: '`127.0.0.1` if `LAUREL_HOST` is, else the host’s name',
    about: 'the host under which other processes reach this instance, not a load balancer before it',
  }),
  queryUrl: variable<string | null>({
    name: 'LAUREL_QUERY_URL',
    parse: urlOf('http:', 'https:'),
    fallback: null,
    readBy: ['ingestion-gateway'],
    shownDefault: 'none: reads are `404` there',
    about: 'address of the query gateways, to which this one forwards reads',
  }),
  outgoingUrl: variable<string | null>({
    name: 'LAUREL_OUTGOING_URL',
    parse: urlOf('http:', 'https:'),
    fallback: null,
    readBy: ['ingestion-gateway'],
    shownDefault: 'none: outcomes and webhooks are `422` there',
    about: 'address of the outgoing service, to which this one forwards what is asked of outcomes and webhooks',
  }),
  answerLimitMs: variable({
    name: 'LAUREL_ANSWER_LIMIT_MS',
    parse: wholeNumber(100, 60_000),
    fallback: 10_000,
    readBy: ['ingestion-gateway'],
    about: 'milliseconds for which an answer waits for what the event caused, 100–60,000',
  }),
};

/** A variable that no deployed process reads. */
export type ToolVariable = Pick<EnvironmentVariable<unknown>, 'name' | 'secret' | 'about'> & {
  readonly readBy: 'tests' | 'docker compose' | 'examples';
  readonly shownDefault: string;
};

/** All variables of the tests, the examples and the compose files. */
export const TOOL_VARIABLES: readonly ToolVariable[] = [
  {
    name: 'LAUREL_DATABASE_PASSWORD',
    readBy: 'docker compose',
    secret: true,
    shownDefault: 'none: must be given',
    about: 'password of the Postgres that `docker/compose.yaml` starts; letters and digits',
  },
  {
    name: 'LAUREL_PUBLISHED_PORT',
    readBy: 'docker compose',
    shownDefault: '`3000`',
    about: 'port of the machine, on 127.0.0.1, under which the containers are reached',
  },
  {
    name: 'LAUREL_URL',
    readBy: 'examples',
    shownDefault: '`http://127.0.0.1:3000`',
    about: 'address of the service that the programs in `examples/` send to',
  },
  {
    name: 'LAUREL_TEST_URL',
    readBy: 'tests',
    shownDefault: 'none: a server of its own',
    about: 'address of a running server for the HTTP suite',
  },
  {
    name: 'LAUREL_TEST_API_KEY',
    readBy: 'tests',
    secret: true,
    shownDefault: 'none',
    about: 'a key with every scope for `LAUREL_TEST_URL`',
  },
  {
    name: 'LAUREL_TEST_DATABASE_URL',
    readBy: 'tests',
    secret: true,
    shownDefault: 'none: an embedded server of each worker',
    about: 'a Postgres server in which tests may create and drop databases',
  },
  {
    name: 'LAUREL_TEST_SEED',
    readBy: 'tests',
    shownDefault: '`20261121`',
    about: 'whole number below 2^32: every random choice of the tests follows from it',
  },
  {
    name: 'LAUREL_KEEP_TOPOLOGY',
    readBy: 'tests',
    shownDefault: '`false`',
    about: '`true`: keeps the folder of a test topology with the logs of its processes',
  },
  {
    name: 'LAUREL_FAULTS',
    readBy: 'tests',
    shownDefault: 'the short form',
    about: '`long`: each component is killed and frozen on its own, and disks stay full for longer',
  },
  {
    name: 'LAUREL_LARGE',
    readBy: 'tests',
    shownDefault: '50,000 users',
    about: '`million`: what each read touches is counted in a database with a million users',
  },
  {
    name: 'LAUREL_CHROMIUM',
    readBy: 'tests',
    shownDefault: 'the browser that a package manager installed',
    about: 'path of the Chromium in which the console is tested',
  },
  {
    name: 'LAUREL_WRITE_EXAMPLES',
    readBy: 'tests',
    shownDefault: 'none',
    about: '`1`: the test of the OpenAPI document writes its examples',
  },
];

/** The names of all variables. */
export const VARIABLE_NAMES: ReadonlySet<string> = new Set(
  [...Object.values(ENVIRONMENT_VARIABLES), ...TOOL_VARIABLES].map(({ name }) => name),
);
