import type { Json } from '../http-suite/index.ts';

/** Sends a request without the browser. Rejects unless the answer is 2xx. */
export type Ask = (method: string, path: string, body?: object) => Promise<Json>;

/** Sends requests with an API key. @param target read for each request */
export const askingBy =
  (target: () => { readonly baseUrl: string; readonly apiKey: string }): Ask =>
  async (method, path, body) => {
    const { baseUrl, apiKey } = target();
    const answer = await fetch(`${baseUrl}${path}`, {
      ...{ method, headers: { 'x-api-key': apiKey, 'content-type': 'application/json' } },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
