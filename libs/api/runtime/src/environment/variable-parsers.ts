import { isIP } from 'node:net';
import { parseInstant } from '@laurel/calendar/instants';
import type { Instant } from '@laurel/calendar';
import type { AreaName } from '@laurel/kernel/areas';
import { stepsOf } from '@laurel/ports/topology';

/** How the clock of the process runs (specification, section 9). */
export type ClockSetting =
  | { readonly type: 'system' }
  | { readonly type: 'started'; readonly at: Instant }
  | { readonly type: 'frozen'; readonly at: Instant };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const METRICS_ACCESS = ['off', 'local', 'public'] as const;
/** Who may read `/metrics`: nobody, callers on this machine, or everybody. */
export type MetricsAccess = (typeof METRICS_ACCESS)[number];

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** The credentials of a process at Kafka. */
export interface KafkaSasl {
  readonly mechanism: (typeof SASL_MECHANISMS)[number];
  readonly username: string;
  readonly password: string;
}

/** Parses the text of a variable. @throws RangeError that says what the text must be, without repeating it. */
export type Parse<T> = (text: string) => T;

export const parseText: Parse<string> = (text) => text;

export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new RangeError('must be a port, 0–65535');
  return Number(text);
}

// eslint-disable-next-line no-control-regex -- a header cannot carry them
const CONTROL_CHARACTER = /[\0-\x1f\x7f]/;

/** Removes spaces around a key, because a header loses them. */
export function parseApiKey(text: string): string {
  const key = text.trim();
  if (CONTROL_CHARACTER.test(key)) throw new RangeError('must have no control characters');
  if ([...key].length < 24) throw new RangeError('must have at least 24 characters');
  return key;
}

export function urlOf(...protocols: string[]): (text: string) => string {
  return (text) => {
    const character = misplacedInCredentials(text);
    if (character !== null)
      throw new RangeError(
        `has ${character} in its user name or password: percent-encode it, as ${encoded(character)}`,
      );
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
      throw new RangeError(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return text;
  };
}

const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * The character that ends user name and password too early, or a `%` that begins no percent-encoding, or null. If the
 * credentials end too early, the `@` before the host is in a path, a query or a fragment.
 */
function misplacedInCredentials(text: string): string | null {
  const [, authority = '', rest = ''] = /^[\w+]+:\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (authority.includes('@')) {
    const credentials = authority.slice(0, authority.lastIndexOf('@'));
    return /%(?![\da-f]{2})/i.test(credentials) ? '%' : null;
  }
  const isNoHost = !/^(\[.*\]|[^:]*)(:\d*)?$/.test(authority);
  const namesHostLater = /^#|^[?]|^[^?#]*@[^@/]+[/:]/.test(rest) && (authority.includes(':') || rest.startsWith('#'));
  return rest.includes('@') && (isNoHost || namesHostLater) ? rest.charAt(0) : null;
}

/** First segments of the service's own paths. A base path with one of them would hide these paths. */
const PATHS_OF_THE_SERVICE = new Set([
  'admin',
  'api',
  'asyncapi.json',
  'console',
  'docs',
  'healthz',
  'metrics',
  'openapi.json',
  'readyz',
  'v1',
]);

/** Parses an address without a password, which may be shown. */
export function parseEndpoint(text: string): string {
  const { href, username, password } = new URL(urlOf('http:', 'https:')(text));
  if (username !== '' || password !== '') throw new RangeError('must have no user name and no password');
  return href;
}

/** Parses the address that paths of the service are appended to. */
export function parsePublicUrl(text: string): string {
  const url = new URL(parseEndpoint(text));
  if (/[?#]/.test(text)) throw new RangeError('must have no query and no fragment');
  const [, first = ''] = url.pathname.split('/');
  if (PATHS_OF_THE_SERVICE.has(first))
    throw new RangeError(`must have a path that does not begin with /${first}, which is a path of the service itself`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most)) throw new RangeError(`must be a whole number from ${least} to ${most}`);
    return value;
  };
}

export function parseBrokers(text: string): readonly string[] {
  const brokers = text.split(',').map((broker) => broker.trim());
  if (!brokers.every((broker) => /^[^\s:]+:\d{1,5}$/.test(broker)))
    throw new RangeError('must be a list host:port,host:port');
  return brokers;
}

const HOST_NAME = /^(?=.{1,254}$)[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?$/i;

/** Parses addresses, ranges and host names. A range may be written with any of its addresses. */
export function parseHosts(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (!entries.every(isHostOrRange))
    throw new RangeError('must be a list of addresses, ranges such as 10.0.0.0/8, and names of hosts');
  return entries;
}

function isHostOrRange(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0) return prefix === undefined && HOST_NAME.test(entry) && !/^[\d.]+$/.test(entry);
  return entry.split('/').length <= 2 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
}

/** @throws RangeError that says which areas may be named together */
export const parseSteps: Parse<readonly AreaName[]> = (text) =>
  stepsOf(text.split(',').map((area) => area.trim())).flatMap(({ areas }) => areas);
export function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new RangeError('must be on or off');
  return text === 'on';
}

export function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new RangeError('must be true or false');
  return text === 'true';
}

/** The password may contain colons. A trailing line break, as in a secret made from a file, is removed. */
export function parseSasl(text: string): KafkaSasl {
  const [, name, username, password] = /^([^:]*):([^:]+):(.+)$/.exec(text.trim()) ?? [];
  const mechanism = SASL_MECHANISMS.find((known) => known === name?.toLowerCase());
  if (mechanism === undefined || username === undefined || password === undefined)
    throw new RangeError(`must be MECHANISM:USER:PASSWORD, the mechanism one of ${SASL_MECHANISMS.join(', ')}`);
  return { mechanism, username, password };
}

/** A trailing line break, as in a secret made from a file, is removed. */
export function parseSecret(text: string): string {
  const secret = text.replace(/\r?\n$/, '');
  if (CONTROL_CHARACTER.test(secret)) throw new RangeError('must have no control characters');
  return secret;
}

/** SASL extensions (RFC 7628, section 3.1). */
export function parseExtensions(text: string): Readonly<Record<string, string>> {
  const entries = text.split(',').map((entry) => /^\s*([a-z]+)=([\x20-\x7e]+)$/i.exec(entry)?.slice(1) ?? []);
  const names = entries.map(([name]) => name);
  if (names.includes(undefined) || names.includes('auth') || new Set(names).size < names.length)
    throw new RangeError('must be a list name=value,name=value, each name once, of letters, and not auth');
  return Object.fromEntries(entries) as Record<string, string>;
}

export function parseClock(text: string): ClockSetting {
  const frozen = text.endsWith(',frozen');
  const at = parseInstant(frozen ? text.slice(0, -',frozen'.length) : text);
  if (at === null) throw new RangeError('must be an ISO 8601 instant, with or without ",frozen" behind it');
  return { type: frozen ? 'frozen' : 'started', at };
}

export function oneOf<T extends string>(known: readonly T[]): Parse<T> {
  return (text) => {
    const value = known.find((one) => one === text.toLowerCase());
    if (value === undefined) throw new RangeError(`must be one of ${known.join(', ')}`);
    return value;
  };
}

export const parseLogLevel: Parse<LogLevel> = oneOf(LOG_LEVELS);

export const parseMetricsAccess: Parse<MetricsAccess> = oneOf(METRICS_ACCESS);
