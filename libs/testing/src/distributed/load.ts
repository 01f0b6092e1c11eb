import type { Topology } from './topology.ts';

/** A metric event sent by a client. An event without a key is sent only once. */
export interface SentEvent {
  readonly userId: string;
  readonly metric: string;
  readonly value: number;
  readonly key: string | null;
}

/** An event that was answered with 201, or with 202 after a retry. */
export interface AcknowledgedEvent extends SentEvent {
  readonly eventId: string;
}

export interface LoadOptions {
  /** URLs of ingestion gateways. A client goes to the next one if one does not answer. */
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly metrics: readonly string[];
  readonly users: readonly string[];
  readonly lanes: number;
  /** The prefix of keys. A second load on the same service needs another one. */
  readonly keys?: string;
  /** The zones of users. Default: some around the world. */
  readonly zones?: readonly string[];
}

/**
 * The longest time that a client may be kept waiting: an answer comes, possibly with everything pending, or the
 * connection ends.
 */
const LONGEST_ANSWER_MS = 120_000;
const RETRY_MS = 100;
/** The pause of a client between two events, so that the load is steady and does not saturate the machine. */
const BREAK_MS = 150;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC'];
/** One of this many events has no key. */
const WITHOUT_KEY = 5;
/** One of this many requests is a separate call that changes a user's zone. */
const IDENTIFY = 25;

/**
 * Clients that post events in parallel and retry correctly: with the same key until they get an answer. Keeps what was
 * acknowledged, to compare it with the log.
 */
export class Load {
  readonly acknowledged: AcknowledgedEvent[] = [];
  /** Events sent without a key and never answered: each may be in the log once. */
  readonly uncertain: SentEvent[] = [];
  /** Answers that no client may get. */
  readonly violations: string[] = [];
  readonly counts = { pending: 0, retries: 0, replayed: 0, unavailable: 0 };
  readonly #options: LoadOptions;
  readonly #lanes: Promise<void>[];
  #sent = 0;
  #ended = false;
  #abandoned = false;

  private constructor(options: LoadOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.lanes }, (_, queue) => this.#run(queue));
  }

  static start(options: LoadOptions): Load {
    return new Load(options);
  }

  /** A load on every ingestion gateway of a topology with the HTTP suite's configuration. */
  static on(topology: Topology, queues: number, more: Pick<LoadOptions, 'zones'> = {}): Load {
    return Load.start({
      urls: topology.of('ingestion-gateway').map(({ url }) => url),
      apiKey: topology.apiKey,
      metrics: ['lessons', 'reviews', 'words', 'spent'],
      users: Array.from({ length: 40 }, (_, number) => `user ${number}`),
      lanes: queues,
      ...more,
    });
  }

  /** Waits until this many more events are acknowledged. */
  async more(events: number): Promise<void> {
    const wanted = this.acknowledged.length + events;
    while (this.acknowledged.length < wanted) {
      if (this.violations.length > 0) throw new Error(`the load was answered wrongly: ${this.violations[0]}`);
      await pause(20);
    }
  }

  /** Stops sending, and waits until everything sent is answered. */
  async stop(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#lanes);
  }

  /** Stops without retrying unanswered events, at the end of a failed test. */
  async abandon(): Promise<void> {
    this.#abandoned = true;
    await this.stop();
  }

  async #run(queue: number): Promise<void> {
    while (!this.#ended) {
      const number = this.#sent++;
      const event = this.#eventOf(number);
      if (number % IDENTIFY === 0) await this.#identify(event.userId, number, queue);
      else await this.#record(event, queue);
      await pause(BREAK_MS);
    }
  }

  #eventOf(number: number): SentEvent {
    const { metrics, users, keys = 'load' } = this.#options;
    // Spreads events over users and metrics by factors that are coprime with the lengths of their lists.
    const userId = users[(number * 7919) % users.length] as string;
    const metric = metrics[(number * 104_729) % metrics.length] as string;
    const value = 1 + (number % 7) / 4;
    return { userId, metric, value, key: number % WITHOUT_KEY === 0 ? null : `${keys}-${number}` };
  }

  async #record(event: SentEvent, queue: number): Promise<void> {
    const { metric, value, userId, key } = event;
    const body = { user: { id: userId }, value };
    const headers = key === null ? {} : { 'idempotency-key': key };
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#post(`/api/metrics/${metric}/event`, body, headers, queue + attempt);
      if (answer?.status === 201 || (answer?.status === 202 && attempt > 0)) {
        this.acknowledged.push({ ...event, eventId: answer.json.eventId });
        if (answer.status === 202) this.counts.replayed++;
        if (answer.json.pending !== undefined) this.counts.pending++;
        return;
      }
      if (answer !== null && !(await this.#mayBeSentAgain(answer))) return;
      if (key === null || this.#abandoned) {
        this.uncertain.push(event);
        return;
      }
      this.counts.retries++;
      await pause(RETRY_MS);
    }
  }

  async #identify(userId: string, number: number, queue: number): Promise<void> {
    const { zones = ZONES } = this.#options;
    const answer = await this.#post('/v1/users', { id: userId, tz: zones[number % zones.length] }, {}, queue);
    if (answer !== null && ![200, 201].includes(answer.status)) await this.#mayBeSentAgain(answer);
  }

  async #mayBeSentAgain({ status, json }: LoadAnswer): Promise<boolean> {
    if (status === 503) this.counts.unavailable++;
    else this.violations.push(`${status} ${JSON.stringify(json)}`);
    return Promise.resolve(status === 503);
  }

  /** null if there was no answer. */
  async #post(path: string, body: object, headers: object, turn: number): Promise<LoadAnswer | null> {
    const { urls, apiKey } = this.#options;
    const url = new URL(path, urls[turn % urls.length]);
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
    try {
      const sent = { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers };
      const response = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body), signal });
      return { status: response.status, json: (await response.json()) as LoadAnswer['json'] };
    } catch {
      if (signal.aborted) this.violations.push(`no answer within ${LONGEST_ANSWER_MS} ms`);
      return null;
    }
  }
}

interface LoadAnswer {
  readonly status: number;
  readonly json: { readonly eventId: string; readonly pending?: readonly string[] };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
