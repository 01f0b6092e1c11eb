import createClient, { type Client } from 'openapi-fetch';
import { Agent, fetch as undiciFetch, Request as UndiciRequest } from 'undici';
import type { paths } from './generated/laurel-api.ts';

export interface LaurelClientOptions {
  /** The address of the service. Default: `http://127.0.0.1:3000`. */
  readonly url?: string;
  /** Sent in the header `X-API-KEY`. It is a secret of your backend: never use this client in a browser. */
  readonly apiKey?: string;
  /** The service's Unix socket, instead of the host and port of `url`. */
  readonly socketPath?: string;
  /**
   * How long an answer may take to begin, and how long it may pause afterwards, in milliseconds; 0 for no limit.
   * Default: 30 seconds, which is longer than the service needs to find out the outcome of an event. The digest of a
   * large account may take longer.
   */
  readonly timeoutMs?: number;
}

/**
 * One method per HTTP method. The service's description provides the types of paths, parameters, bodies and answers.
 */
export interface LaurelClient extends Client<paths> {
  /** Waits for running calls, and closes the connections. Not necessary before a process ends. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A client of a Laurel service, typed by its OpenAPI document.
 *
 * ```ts
 * const laurel = createLaurelClient({ url: 'http://127.0.0.1:3000', apiKey: process.env.LAUREL_API_KEY });
 *
 * const { data: event, error } = await laurel.POST('/v1/metrics/{key}/event', {
 *   params: { path: { key: 'lessons' }, header: { 'Idempotency-Key': 'lesson-42' } },
 *   body: { user: { id: 'ada', tz: 'Europe/Berlin' }, value: 1 },
 * });
 * if (error) console.log(error.code, error.detail);
 * else console.log(event.total, event.currentStreak?.length, event.points['xp']?.added);
 * ```
 *
 * A call gives `{ data, response }`, or `{ error, response }` if the service refused it: `error` is then its problem, with a
 * `code` for programs, a plain sentence in `detail` and every wrong field in `errors`. A call that was not answered is
 * rejected. {@link orThrow} makes a {@link LaurelError} of both, for who would rather catch:
 *
 * ```ts
 * const streak = await orThrow(laurel.GET('/v1/users/{id}/streak', { params: { path: { id: 'ada' } } }));
 * ```
 *
 * Nothing is sent twice by itself. Sending an event again is safe with the same `Idempotency-Key`.
 *
 * Numbers are read as JavaScript's: beyond 2⁵³ they are rounded. `parseAs: 'text'` gives a body as it was written, digit by
 * digit, and `parseAs: 'stream'` in pieces, for what is large.
 *
 * @throws TypeError if `url` is not a URL, or no header can carry `apiKey` ({@link isSendableKey}); it does not repeat the key.
 */
export function createLaurelClient(options: LaurelClientOptions = {}): LaurelClient {
  const { url = 'http://127.0.0.1:3000', apiKey, socketPath, timeoutMs = 30_000 } = options;
  if (apiKey !== undefined && !isSendableKey(apiKey))
    throw new TypeError('apiKey must have no control characters, such as a line break');
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS, ...(socketPath !== undefined && { socketPath }) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const client = createClient<paths>({
    baseUrl: new URL(url).href,
    // Otherwise the key would be sent to any address that an answer redirects to.
    redirect: 'manual',
    // The undici in Node and this one do not accept each other's requests.
    Request: UndiciRequest as unknown as typeof Request,
    fetch: (request) =>
      undiciFetch(request as unknown as UndiciRequest, { dispatcher }) as unknown as Promise<Response>,
    ...(apiKey !== undefined && { headers: { 'X-API-KEY': headerText(apiKey.trim()) } }),
  });
  return { ...withAnyHeaderText(client), close: () => dispatcher.close() };
}

/**
 * Whether a header can carry a key. It must have no control characters; spaces and line breaks around it are not sent.
 * Fetch would also refuse it, but its error message contains the key.
 */
export const isSendableKey = (apiKey: string): boolean =>
  // eslint-disable-next-line no-control-regex -- a header cannot carry them
  !/[\0-\x1f\x7f]/.test(apiKey.trim());

interface Init {
  readonly params?: { readonly header?: Readonly<Record<string, unknown>> };
}
type Call = (path: string, init?: Init) => unknown;

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const;

/** The client, with header parameters of any text. */
function withAnyHeaderText(client: Client<paths>): Client<paths> {
  const calls = METHODS.map((method) => {
    const call = client[method] as Call;
    return [method, (path: string, init?: Init) => call(path, encoded(init))];
  });
  const request = client.request as (method: string, ...call: Parameters<Call>) => unknown;
  return {
    ...client,
    ...Object.fromEntries(calls),
    request: (method: string, path: string, init?: Init) => request(method, path, encoded(init)),
  } as Client<paths>;
}

function encoded(init: Init | undefined): Init | undefined {
  const header = init?.params?.header;
  if (header === undefined) return init;
  const values = Object.entries(header).map(([name, value]) => [
    name,
    typeof value === 'string' ? headerText(value) : value,
  ]);
  return { ...init, params: { ...init?.params, header: Object.fromEntries(values) } };
}

/**
 * HTTP sends each character of a header as one byte. A text beyond Latin-1 is sent as its UTF-8 bytes, and Laurel reads
 * it as such.
 */
function headerText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
