import { CommandError } from '../command-error.ts';

/** What the service said of one item of a batch. */
export interface ItemResult {
  readonly index: number;
  readonly status: number;
  readonly error?: string;
  readonly eventId?: string;
}

export interface ImportTarget {
  readonly url: string;
  readonly apiKey: string;
}

const RETRIES = 30;

/** The two requests of an import. */
export class ImportClient {
  readonly #target: ImportTarget;
  readonly #wait: (ms: number) => Promise<void>;

  constructor(target: ImportTarget, wait: (ms: number) => Promise<void>) {
    this.#target = target;
    this.#wait = wait;
  }

  /**
   * Sends a batch. A whole batch that was turned away (503: nothing was recorded) is sent again after the time asked for.
   * @throws CommandError with exit code 2 for any other refusal, or if the service cannot be reached.
   */
  async send(body: string): Promise<readonly ItemResult[]> {
    const answer = await this.#post('/admin/v1/metrics/events', body);
    return (answer as { results: readonly ItemResult[] }).results;
  }

  async finish(): Promise<void> {
    await this.#post('/admin/v1/imports/finish', '{}');
  }

  async #post(path: string, body: string): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      const response = await this.#request(path, body);
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      if ((response.status !== 503 && response.status !== 429) || attempt === RETRIES)
        throw refusedBy(response.status, text);
      await this.#wait(Number(response.headers.get('retry-after') ?? 1) * 1_000);
    }
  }

  async #request(path: string, body: string): Promise<Response> {
    const { url, apiKey } = this.#target;
    try {
      return await fetch(new URL(path, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body,
      });
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      throw new CommandError(2, `${url} cannot be reached (${cause?.code ?? 'no answer'})`);
    }
  }
}

function refusedBy(status: number, text: string): CommandError {
  return new CommandError(2, `the service refused the request with ${status}: ${detailOf(text)}`);
}

function detailOf(text: string): string {
  try {
    return String((JSON.parse(text) as { error?: unknown }).error);
  } catch {
    return 'no explanation';
  }
}
