import type { ImportRequest, StreamResult } from '@laurel/schemas';
import { NDJSON } from '@laurel/runtime/surroundings';
import { type ServiceConnection, TURNED_AWAY } from '../service/service-connection.ts';
import { finishImport } from './finish-import.ts';

const RETRIES = 30;
/** Enough for a thousand events on a very busy machine. */
const LIMIT_MS = 5 * 60_000;
/** Refusals after which nothing was recorded. */
const RETRY_ON = new Set([...TURNED_AWAY, 'starting' as const]);

/** The requests of an import. */
export class ImportClient {
  readonly #service: ServiceConnection;

  constructor(service: ServiceConnection) {
    this.#service = service;
  }

  /** Opens the import in advance; otherwise the first line would open it without options and without a reason. */
  async open(options: Pick<ImportRequest, 'unboundedAwards' | 'outgoing' | 'reason'>): Promise<void> {
    await this.#service.ask(
      (client, settings) => client.POST('/admin/v1/imports', { body: { ...options }, ...settings }),
      { retries: RETRIES },
    );
  }

  /**
   * Sends a body of lines, and yields the results as they arrive. A request that was turned away as a whole is repeated
   * with a new body, after the requested time.
   * @throws CommandError with exit code 2 for any other refusal, or if the service cannot be reached.
   */
  async *exchange(body: () => AsyncIterable<Uint8Array>): AsyncGenerator<readonly StreamResult[]> {
    const chunks = this.#service.read(
      (client, settings) =>
        client.POST('/admin/v1/metrics/events', {
          body: { events: [] },
          bodySerializer: () => ReadableStream.from(body()),
          duplex: 'half',
          headers: { 'content-type': NDJSON },
          parseAs: 'stream',
          ...settings,
        }),
      { retries: RETRIES, limitMs: LIMIT_MS, retryOn: RETRY_ON },
    );
    let rest = '';
    for await (const chunk of chunks) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as StreamResult);
    }
  }

  /** Whether an import is open now; null if the service does not say. */
  async isOpen(): Promise<boolean | null> {
    try {
      const status = await this.#service.ask((client, settings) => client.GET('/admin/v1/status', { ...settings }), {
        retries: 0,
      });
      return status.importOpen;
    } catch {
      return null;
    }
  }

  /** Ends the import, and waits until reads show it. @returns the areas that do not show it yet. */
  finish(reason?: string): Promise<readonly string[]> {
    return finishImport(this.#service, reason);
  }
}
