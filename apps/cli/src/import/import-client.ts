import { finishImport } from './finish-import.ts';
import type { ServiceConnection } from '../service/service-connection.ts';

/** What the service said of one item of a batch. */
export interface ItemResult {
  readonly index: number;
  readonly status: number;
  readonly error?: string;
  /** Of a refused one; a service of an earlier release sends none. */
  readonly code?: string;
  readonly eventId?: string;
}

const RETRIES = 30;
/** A thousand events on a machine that is busy with much else. */
const LIMIT_MS = 5 * 60_000;

/** The requests of an import. */
export class ImportClient {
  readonly #service: ServiceConnection;

  constructor(service: ServiceConnection) {
    this.#service = service;
  }

  /** Opens the import beforehand: the first line would open it without options and without a reason. */
  async open(options: { readonly unboundedAwards?: true; readonly reason?: string }): Promise<void> {
    await this.#service.ask(
      (client, settings) => client.POST('/admin/v1/imports', { body: { ...options }, ...settings }),
      { retries: RETRIES },
    );
  }

  /**
   * Sends a batch, a JSON array, as it is written: no digit is touched. A whole batch that was turned away (503: nothing was
   * recorded) is sent again after the time asked for.
   * @throws CommandError with exit code 2 for any other refusal, or if the service cannot be reached.
   */
  async send(body: string): Promise<readonly ItemResult[]> {
    const { results } = await this.#service.ask(
      (client, settings) =>
        client.POST('/admin/v1/metrics/events', { body: [], bodySerializer: () => body, ...settings }),
      { retries: RETRIES, limitMs: LIMIT_MS },
    );
    return results;
  }

  /** Ends the import, and waits until reads show it. @returns the areas that still do not. */
  finish(reason?: string): Promise<readonly string[]> {
    return finishImport(this.#service, reason);
  }
}
