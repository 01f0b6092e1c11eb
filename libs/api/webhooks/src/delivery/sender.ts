import type { Clock } from '@laurel/ports';
import { Agent, request } from 'undici';
import { checkedConnector, type Resolve } from '../destinations/checked-connector.ts';
import { DestinationRefusedError, type Destinations } from '../destinations/destinations.ts';
import { retryAfterOf } from '../schedule/retry-schedule.ts';
import { signatureHeaders, type Secret } from '../secrets/signing.ts';
import type { AttemptResult } from './delivery.ts';

export const ANSWER_LIMIT_MS = 15_000;
const CONNECT_LIMIT_MS = 10_000;
const SHOWN_BYTES = 1_024;
const KEEP_ALIVE_MS = 10_000;

export interface Message {
  readonly url: string;
  readonly secrets: readonly Secret[];
  readonly trophySignature: boolean;
  readonly id: string;
  readonly body: string;
  readonly replay: boolean;
}

/** Sends signed requests, to checked addresses only. Does not follow redirects. */
export class Sender {
  readonly #agent: Agent;
  readonly #clock: Clock;
  readonly #destinations: Destinations;

  /** @param connections limit for one receiver */
  constructor(destinations: Destinations, clock: Clock, connections: number, resolve?: Resolve) {
    const connect = checkedConnector(destinations, CONNECT_LIMIT_MS, resolve);
    this.#agent = new Agent({ connect, connections, pipelining: 1, keepAliveTimeout: KEEP_ALIVE_MS });
    this.#clock = clock;
    this.#destinations = destinations;
  }

  /** Never rejects: every failure counts as a failed attempt. A request that cannot be signed is not sent. */
  async send({ url, secrets, trophySignature, id, body, replay }: Message): Promise<AttemptResult> {
    if (secrets.length === 0) return UNSIGNABLE;
    const startedAtMs = this.#clock.elapsedMs();
    const aborting = new AbortController();
    const cancel = this.#clock.after(ANSWER_LIMIT_MS, () => aborting.abort());
    const at = this.#clock.now();
    try {
      this.#destinations.checkUrl(url);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Laurel-Webhooks',
        ...signatureHeaders(secrets, { id, body, at, trophySignature }),
        ...(replay && { 'webhook-replay': 'true' }),
      };
      const { signal } = aborting;
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: this.#agent, signal });
      const response = await beginningOf(answer.body);
      const retryAfter = answer.headers['retry-after'];
      const fault = faultOf(answer.statusCode);
      return {
        status: answer.statusCode,
        tookMs: this.#since(startedAtMs),
        response,
        error: fault,
        fault,
        retryAfterMs: retryAfterOf(typeof retryAfter === 'string' ? retryAfter : null, at),
        timedOut: false,
      };
    } catch (error) {
      const failed = { status: null, tookMs: this.#since(startedAtMs), response: null, retryAfterMs: null };
      return aborting.signal.aborted
        ? { ...failed, error: UNANSWERED, fault: UNANSWERED, timedOut: true }
        : { ...failed, error: wordsOf(error), fault: kindOf(error), timedOut: isConnectTimeout(error) };
    } finally {
      cancel();
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #since(startedAtMs: number): number {
    return Math.round(this.#clock.elapsedMs() - startedAtMs);
  }
}

const UNSIGNABLE: AttemptResult = {
  status: null,
  tookMs: 0,
  response: null,
  retryAfterMs: null,
  timedOut: false,
  error:
    'its secret cannot be read: LAUREL_SECRETS_KEY, or secrets.key in the data folder, is another one now; rotate it',
  fault: 'its secret cannot be read',
};

const UNANSWERED = `was not answered within ${ANSWER_LIMIT_MS / 1_000} s`;

function faultOf(status: number): string | null {
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) return `was answered with ${status}; no redirect is followed`;
  return `was answered with ${status}`;
}

/** The first KiB; the rest is not read. */
async function beginningOf(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes > SHOWN_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, SHOWN_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** Kinds of failures by the beginning of the error's code. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_)/, 'its name has no address'],
  [/^ECONNREFUSED/, 'the connection was refused'],
  [/^(ETIMEDOUT|EHOST|ENET|UND_ERR_CONNECT_TIMEOUT)/, 'it could not be reached'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)/, 'the connection was cut'],
  [/^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/, 'TLS was refused'],
];

/** The kind of a failure. Unlike the message of the error, it names no address. */
function kindOf(error: unknown): string {
  if (error instanceof DestinationRefusedError) return 'its address may not be sent to';
  const { code } = error as { readonly code?: unknown };
  return KINDS.find(([pattern]) => pattern.test(String(code)))?.[1] ?? 'the request failed';
}

const isConnectTimeout = (error: unknown): boolean =>
  /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)/.test(String((error as { readonly code?: unknown }).code));

const wordsOf = (error: unknown): string => {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return (message === undefined || message === '' ? (code ?? 'failed') : message).replaceAll('\0', '').slice(0, 500);
};
