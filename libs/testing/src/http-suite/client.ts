import { TAGS } from '@laurel/schemas';
import { newUuid } from '../random/index.ts';
import { AnswerContract } from './answer-contract.ts';

/** A running server with `HTTP_SUITE_CONFIGURATION`, and a key that has every scope. */
export interface HttpSuiteTarget {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Receives every answer that the suite gets. */
  readonly onAnswer?: (exchange: Exchange) => void;
}

/** A request of the suite, and its answer. `path` is as it was sent, with its query. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly answer: Answer;
}

// A test reads answers like a client that knows only the specification: fields by name, without our types.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as text, to check how numbers are written. */
  readonly text: string;
  readonly json: Json;
}

export interface Sent {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
}

/** The description including operations for browsers. */
export const WHOLE_DESCRIPTION = `/openapi.json?tags=${Object.keys(TAGS).join()}`;

/** A user id that no other test has. On a separate server, no other run has it either. */
export const newUserId = (name = 'user') => `${name}-${newUuid()}`;

/** Checks every answer against the server's own description. */
export class Client {
  readonly #target: () => HttpSuiteTarget;
  #contract: Promise<AnswerContract> | null = null;

  constructor(target: () => HttpSuiteTarget) {
    this.#target = target;
  }

  /** @throws Error if the answer does not match its description */
  async send(method: string, path: string, { key, headers = {}, body, text }: Sent = {}): Promise<Answer> {
    const { baseUrl, apiKey, onAnswer } = this.#target();
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const url = new URL(path, baseUrl);
    const response = await fetch(url, {
      method,
      headers: {
        ...(key !== null && { 'x-api-key': key ?? apiKey }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    });
    const written = await response.text();
    const answer = { status: response.status, headers: response.headers, text: written, json: parsed(written) };
    onAnswer?.({ method, path, answer });
    const differences = (await this.#described(baseUrl)).differences(method, url.pathname, answer);
    if (differences.length > 0) throw new Error(`not as described: ${differences.join('; ')}`);
    return answer;
  }

  #described(baseUrl: string): Promise<AnswerContract> {
    this.#contract ??= fetch(new URL(WHOLE_DESCRIPTION, baseUrl)).then(
      async (document) => new AnswerContract(await document.json()),
    );
    return this.#contract;
  }

  /** @returns the body of a read that must answer 200. */
  async read(path: string): Promise<Json> {
    const { status, json } = await this.send('GET', path);
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${JSON.stringify(json)}`);
    return json;
  }

  /** Posts one event; `more` is merged into the body beside the user's id. */
  event(metric: string, userId: string, value: number, more: { user?: object; idempotencyKey?: string } = {}) {
    const headers: Record<string, string> =
      more.idempotencyKey === undefined ? {} : { 'idempotency-key': more.idempotencyKey };
    const body = { user: { id: userId, ...more.user }, value };
    return this.send('POST', `/api/metrics/${metric}/event`, { headers, body });
  }

  /** Posts one event that must answer 201. @returns the answer's body. */
  async record(metric: string, userId: string, value: number, more: { user?: object } = {}): Promise<Json> {
    const { status, json } = await this.event(metric, userId, value, more);
    if (status !== 201) throw new Error(`the event was answered ${status}: ${JSON.stringify(json)}`);
    return json;
  }

  batch(events: unknown, query = ''): Promise<Answer> {
    return this.send('POST', `/admin/v1/metrics/events${query}`, { body: events });
  }

  /** Imports one event. @returns its whole answer. */
  async import(metric: string, userId: string, value: number, timestamp: string): Promise<Json> {
    const { json } = await this.batch([{ metric, user: { id: userId }, value, timestamp }], '?results=full');
    if (json?.results?.[0]?.status !== 201) throw new Error(`the import was answered ${JSON.stringify(json)}`);
    return json.results[0].body;
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
