import type { Served } from './serve-in-process.ts';

export interface Asked<Answer> {
  readonly status: number;
  readonly answer: Answer;
}

/** Sends requests to a service: a GET or, with a body, a POST. `key` is the idempotency key. */
export const askOf =
  (served: () => Pick<Served, 'baseUrl' | 'apiKey'>) =>
  async <Answer>(path: string, body?: object, key?: string): Promise<Asked<Answer>> => {
    const { baseUrl, apiKey } = served();
    const headers = {
      ...{ 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}${path}`, init);
    return { status: response.status, answer: (await response.json()) as Answer };
  };
