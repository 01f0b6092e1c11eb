import { parseInstant } from '@laurel/calendar';
import type { Instant } from '@laurel/calendar';

/** How the one clock of the process runs (specification, section 9). */
export type ClockSetting =
  | { readonly type: 'system' }
  | { readonly type: 'started'; readonly at: Instant }
  | { readonly type: 'frozen'; readonly at: Instant };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const DEFAULT_DATA_DIR = './.laurel';

/** By which a process makes itself known to Kafka. */
export interface KafkaSasl {
  readonly mechanism: (typeof SASL_MECHANISMS)[number];
  readonly username: string;
  readonly password: string;
}

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** What a process is told by its environment. null: not given. */
export interface Environment {
  readonly port: number;
  readonly host: string;
  /** Path of the configuration document. */
  readonly config: string | null;
  readonly dataDir: string;
  readonly apiKey: string | null;
  readonly databaseUrl: string | null;
  readonly kafkaBrokers: readonly string[] | null;
  /** Whether the brokers are spoken to by TLS. */
  readonly kafkaTls: boolean;
  readonly kafkaSasl: KafkaSasl | null;
  readonly eventStoreUrl: string | null;
  readonly clock: ClockSetting;
  readonly logLevel: LogLevel;
  /** By which the processes of the distributed topology know each other. */
  readonly internalToken: string | null;
  /** Where calls of other processes arrive; 0: any free port. */
  readonly internalPort: number;
  /** Under which other processes reach this one. */
  readonly advertisedHost: string | null;
  /** Of each topic. */
  readonly partitions: number;
  /** Copies of each topic. */
  readonly replication: number;
  /** Where an ingestion gateway asks what it does not serve itself. */
  readonly queryUrl: string | null;
  /** How long an answer waits for what an event caused. */
  readonly answerLimitMs: number;
}

/** The environment is wrong; the message names every variable that is. */
export class EnvironmentError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables named in the specification, section 9, and LAUREL_HOST and LAUREL_LOG_LEVEL. An empty variable counts as not given.
 * @throws EnvironmentError that names each variable that is wrong, never its secret.
 */
export function readEnvironment(variables: Variables): Environment {
  const problems: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T): T => {
    const text = variables[name];
    if (text === undefined || text === '') return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(`${name} ${error.message}`);
      return fallback;
    }
  };
  const environment: Environment = {
    port: read('LAUREL_PORT', 3000, parsePort),
    host: read('LAUREL_HOST', '127.0.0.1', (text) => text),
    config: read<string | null>('LAUREL_CONFIG', null, (text) => text),
    dataDir: read('LAUREL_DATA_DIR', DEFAULT_DATA_DIR, (text) => text),
    apiKey: read<string | null>('LAUREL_API_KEY', null, parseApiKey),
    databaseUrl: read<string | null>('LAUREL_DATABASE_URL', null, urlOf('postgres:', 'postgresql:')),
    kafkaBrokers: read<readonly string[] | null>('LAUREL_KAFKA_BROKERS', null, parseBrokers),
    kafkaTls: read('LAUREL_KAFKA_TLS', false, parseBoolean),
    kafkaSasl: read<KafkaSasl | null>('LAUREL_KAFKA_SASL', null, parseSasl),
    eventStoreUrl: read<string | null>('LAUREL_EVENTSTORE_URL', null, urlOf('esdb:', 'esdb+discover:', 'kurrentdb:')),
    clock: read<ClockSetting>('LAUREL_CLOCK', { type: 'system' }, parseClock),
    logLevel: read<LogLevel>('LAUREL_LOG_LEVEL', 'info', parseLogLevel),
    internalToken: read<string | null>('LAUREL_INTERNAL_TOKEN', null, parseApiKey),
    internalPort: read('LAUREL_INTERNAL_PORT', 3100, parsePort),
    advertisedHost: read<string | null>('LAUREL_ADVERTISED_HOST', null, (text) => text),
    partitions: read('LAUREL_PARTITIONS', 12, wholeNumber(1, 1_000)),
    replication: read('LAUREL_REPLICATION', 1, wholeNumber(1, 9)),
    queryUrl: read<string | null>('LAUREL_QUERY_URL', null, urlOf('http:', 'https:')),
    answerLimitMs: read('LAUREL_ANSWER_LIMIT_MS', 10_000, wholeNumber(100, 60_000)),
  };
  if (problems.length > 0) throw new EnvironmentError(problems);
  return environment;
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new RangeError('must be a port, 0–65535');
  return Number(text);
}

/** Spaces around it would be lost on the way through a header, so they are no part of it. */
function parseApiKey(text: string): string {
  const key = text.trim();
  // eslint-disable-next-line no-control-regex -- a header cannot carry them
  if (/[\0-\x1f\x7f]/.test(key)) throw new RangeError('must have no control characters');
  if ([...key].length < 24) throw new RangeError('must have at least 24 characters');
  return key;
}

function urlOf(...protocols: string[]): (text: string) => string {
  return (text) => {
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
      throw new RangeError(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return text;
  };
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most)) throw new RangeError(`must be a whole number from ${least} to ${most}`);
    return value;
  };
}

function parseBrokers(text: string): readonly string[] {
  const brokers = text.split(',').map((broker) => broker.trim());
  if (!brokers.every((broker) => /^[^\s:]+:\d{1,5}$/.test(broker)))
    throw new RangeError('must be a list host:port,host:port');
  return brokers;
}

function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new RangeError('must be true or false');
  return text === 'true';
}

/** The password may have colons; a line break behind it, as of a secret made from a file, is no part of it. */
function parseSasl(text: string): KafkaSasl {
  const [, name, username, password] = /^([^:]*):([^:]+):(.+)$/.exec(text.trim()) ?? [];
  const mechanism = SASL_MECHANISMS.find((known) => known === name?.toLowerCase());
  if (mechanism === undefined || username === undefined || password === undefined)
    throw new RangeError(`must be MECHANISM:USER:PASSWORD, the mechanism one of ${SASL_MECHANISMS.join(', ')}`);
  return { mechanism, username, password };
}

function parseClock(text: string): ClockSetting {
  const frozen = text.endsWith(',frozen');
  const at = parseInstant(frozen ? text.slice(0, -',frozen'.length) : text);
  if (at === null) throw new RangeError('must be an ISO 8601 instant, with or without ",frozen" behind it');
  return { type: frozen ? 'frozen' : 'started', at };
}

function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text.toLowerCase());
  if (level === undefined) throw new RangeError(`must be one of ${LOG_LEVELS.join(', ')}`);
  return level;
}
