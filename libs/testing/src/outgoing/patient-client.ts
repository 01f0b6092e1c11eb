import type { Json } from '../http-suite/client.ts';

const AGAIN_MS = 200;
const ANSWERED_WITHIN_MS = 60_000;
const LONGEST_WAIT_MS = 300_000;

export interface PatientAnswer {
  readonly status: number;
  /** The parsed body; a list of lines for NDJSON. */
  readonly json: Json;
  readonly headers: Headers;
}

export interface PatientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** A status that counts as an answer besides 2xx. */
  readonly orStatus?: number;
}

/**
 * Sends requests to a service that may be killed at any time, and repeats them until it gets 2xx. Every request here
 * may be repeated.
 */
export class PatientClient {
  readonly #service: { readonly url: string; readonly apiKey: string };

  constructor(service: { readonly url: string; readonly apiKey: string }) {
    this.#service = service;
  }

  async ask(method: string, path: string, body?: unknown, options?: PatientOptions): Promise<Json> {
    return (await this.answer(method, path, body, options)).json;
  }

  /** @throws Error for an answer other than 429 and 503, or if none comes in time */
  async answer(method: string, path: string, body?: unknown, options: PatientOptions = {}): Promise<PatientAnswer> {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    for (;;) {
      const answer = await this.#once(method, path, body, options).catch((error: unknown) => ({
        status: null,
        text: `${error}`,
      }));
      const { status } = answer;
      if (status !== null && (status < 300 || status === options.orStatus)) return { ...answer, json: parsed(answer) };
      const mayComeLater = status === null || [429, 503].includes(status);
      if (!mayComeLater || performance.now() > deadline) throw new Error(`${method} ${path}: ${status} ${answer.text}`);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  async #once(method: string, path: string, body: unknown, { headers }: PatientOptions) {
    const { url, apiKey } = this.#service;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

function parsed({ headers, text }: { readonly headers: Headers; readonly text: string }): Json {
  if (headers.get('content-type')?.includes('ndjson'))
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Json);
  return text === '' ? null : JSON.parse(text);
}
