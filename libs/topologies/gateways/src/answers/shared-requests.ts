import type { Clock } from '@laurel/ports';
import { nothingOf, type Gathered } from './gathered.ts';

/**
 * Asks a query gateway for events of a partition. Returns the complete events as soon as there are any, or all events after `limitMs`. Never
 * rejects.
 */
export type AskReady = (
  partition: number,
  eventIds: readonly string[],
  limitMs: number,
) => Promise<readonly Gathered[]>;

/** The most events of a request, so that the answer stays within the limit of a call. */
const MOST_EVENTS = 1_000;

interface Waiting {
  readonly eventId: string;
  readonly limitMs: number;
  readonly resolve: (gathered: Gathered) => void;
}

/**
 * Combines the requests for events of one event loop tick, one request for each partition. No event waits for another, because an answer has the
 * complete events, and the others are requested again.
 */
export class SharedRequests {
  readonly #ask: AskReady;
  readonly #clock: Clock;
  /** The requests of this tick, by partition; the last one may take more events. */
  #next = new Map<number, Waiting[][]>();

  constructor(ask: AskReady, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** The results of the event, as far as they are known within the limit. Never rejects. */
  gather(partition: number, eventId: string, limitMs: number): Promise<Gathered> {
    return new Promise((resolve) => {
      const waiting = { eventId, limitMs, resolve };
      if (this.#next.size === 0) setImmediate(() => this.#askNext());
      const requests = this.#next.get(partition) ?? [[]];
      this.#next.set(partition, requests);
      if (requests.at(-1)?.length === MOST_EVENTS) requests.push([]);
      requests.at(-1)?.push(waiting);
    });
  }

  #askNext(): void {
    const next = this.#next;
    this.#next = new Map();
    for (const [partition, requests] of next) for (const request of requests) void this.#answer(partition, request);
  }

  async #answer(partition: number, waiting: readonly Waiting[]): Promise<void> {
    const left = new Map(waiting.map((one) => [one.eventId, one]));
    const until = this.#clock.elapsedMs() + Math.max(...waiting.map(({ limitMs }) => limitMs));
    while (left.size > 0) {
      const gathered = await this.#ask(partition, [...left.keys()], until - this.#clock.elapsedMs());
      const wanted = gathered.filter(({ eventId }) => left.has(eventId));
      // If the answer has none of the events, end the loop with empty results.
      for (const one of wanted.length > 0 ? wanted : [...left.keys()].map(nothingOf)) {
        left.get(one.eventId)?.resolve(one);
        left.delete(one.eventId);
      }
    }
  }
}
