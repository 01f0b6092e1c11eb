import { formatInstant } from '@laurel/calendar';
import { StoreUnavailableError, type SqlReader } from '@laurel/kernel';
import {
  type DeliveryState,
  type NewWebhookAnswer,
  type NewWebhookRequest,
  type WebhookAnswer,
  type WebhookChange,
  type WebhookDeliveryAnswer,
  type WebhookReplayRequest,
  type WebhookSecretAnswer,
  type WebhookStatus,
  type WebhookTestAnswer,
} from '@laurel/schemas';
import type { Outcomes } from '@laurel/outgoing';
import { sqlReader } from '@laurel/database';
import { invalidField } from '@laurel/runtime';
import { v4 as uuid } from 'uuid';
import { Deliveries } from './delivery/deliveries.ts';
import type { DeliveryProgress } from './delivery/delivery.ts';
import { Dispatcher, MOST_IN_PROGRESS } from './delivery/dispatcher.ts';
import { progressOf, type ProgressSource } from './delivery/endpoint-progress.ts';
import { Sender } from './delivery/sender.ts';
import { Destinations } from './destinations/destinations.ts';
import { Endpoints, rotatedUntil, type Endpoint } from './endpoints/endpoints.ts';
import { presentSecret, statusOf, webhookAnswer } from './webhook-answer.ts';
import type { WebhooksDependencies } from './webhooks-dependencies.ts';

/** Numbers of attempts since the process began. */
export interface AttemptCounts {
  readonly delivered: number;
  readonly failed: number;
}

/** The endpoints of an account, and the deliveries to them. */
export class Webhooks {
  readonly #dependencies: WebhooksDependencies;
  readonly #endpoints: Endpoints;
  readonly #deliveries: Deliveries;
  readonly #listing: Deliveries;
  readonly #sender: Sender;
  readonly #dispatcher: Dispatcher;
  #latest: readonly WebhookStatus[] = [];
  #refreshedAtMs = -Infinity;
  readonly #attempts = { delivered: 0, failed: 0 };

  private constructor(
    dependencies: WebhooksDependencies,
    endpoints: Endpoints,
    destinations: Destinations,
    sql: SqlReader,
  ) {
    const { outcomes, clock, account, retryScale, onFailure, onDisabled, resolve } = dependencies;
    this.#dependencies = dependencies;
    this.#endpoints = endpoints;
    this.#deliveries = new Deliveries(sql, dependencies.subjects);
    this.#listing = new Deliveries(dependencies.listing.sql);
    this.#sender = new Sender(destinations, clock, MOST_IN_PROGRESS, resolve);
    this.#dispatcher = new Dispatcher({
      outcomes,
      endpoints,
      deliveries: this.#deliveries,
      sender: this.#sender,
      clock,
      account,
      retryScale,
      onFailure,
      onDisabled,
      onAttempt: (delivered) => this.#attempts[delivered ? 'delivered' : 'failed']++,
    });
  }

  /** Opens webhooks; nothing is sent before {@link start}. @throws StoreUnavailableError */
  static async open(dependencies: WebhooksDependencies): Promise<Webhooks> {
    const { dataSource, clock, box, allow, record } = dependencies;
    const destinations = new Destinations(allow);
    const endpoints = await Endpoints.open({ dataSource, clock, box, destinations, ...(record && { record }) });
    return new Webhooks(dependencies, endpoints, destinations, sqlReader(dataSource));
  }

  /** @throws StoreUnavailableError */
  async start(): Promise<void> {
    await this.#deliveries.forgetErased(this.#dependencies.account);
    await this.#dispatcher.resume();
    await this.#refresh();
    this.#dispatcher.start();
  }

  /** Stops sending. The next process repeats requests that are in progress. */
  async close(): Promise<void> {
    await this.#dispatcher.close();
    await this.#sender.close();
    await this.#dispatcher.settled();
  }

  /** Resolves once no request is in progress and none can begin. */
  settled(): Promise<void> {
    return this.#dispatcher.settled();
  }

  get attempts(): AttemptCounts {
    return this.#attempts;
  }

  get inProgress(): number {
    return this.#dispatcher.inProgress;
  }

  /** The smallest sequence of an outcome that an endpoint still needs, or null. @throws StoreUnavailableError */
  oldestNeeded(): Promise<number | null> {
    return this.#dispatcher.oldestNeeded();
  }

  /** Disabled endpoints and the reasons, from memory. */
  get disabled(): readonly Pick<Endpoint, 'id' | 'url' | 'disabledBecause'>[] {
    return this.#endpoints.list(this.#dependencies.account).filter(({ disabledBecause }) => disabledBecause !== null);
  }

  /** @throws StoreUnavailableError, like all methods below */
  async list(): Promise<readonly WebhookAnswer[]> {
    const endpoints = await this.#endpoints.all(this.#dependencies.account);
    return this.#answersOf(endpoints, { deliveries: this.#listing, outcomes: this.#dependencies.listing.outcomes });
  }

  /** The status of each endpoint, some seconds old, for frequent callers. Refreshes an older one in the background. */
  get latest(): readonly WebhookStatus[] {
    void this.#refresh();
    return this.#latest;
  }

  /** The current status of each endpoint. */
  async status(): Promise<readonly WebhookStatus[]> {
    return (await this.list()).map(statusOf);
  }

  /**
   * @throws ProblemError 422 if its URL is refused, or there are too many endpoints; StoreUnavailableError while
   * outcomes of earlier events are still to be made
   */
  async create(request: NewWebhookRequest, by: string): Promise<NewWebhookAnswer> {
    // Wait for the outcomes of earlier events, which a new endpoint must not get.
    if ((await this.#dependencies.caughtUp?.()) === false)
      throw new StoreUnavailableError('the outcomes of earlier events are still being made');
    const newest = await this.#newest();
    const endpoint = await this.#endpoints.create(this.#dependencies.account, request, by, newest);
    return { ...this.#answerOf(endpoint, newest), secret: presentSecret(endpoint) };
  }

  /**
   * Returns null if there is no such endpoint, like the methods below. @throws ProblemError 422 if its URL is refused
   */
  change(id: string, change: WebhookChange, by: string): Promise<WebhookAnswer | null> {
    return this.#changed(id, async (endpoint) => {
      const changed = await this.#endpoints.change(endpoint, change, by);
      if (changed.url !== endpoint.url) await this.#hasten(id);
      return changed;
    });
  }

  /** Returns the deleted endpoint. */
  async delete(id: string, by: string): Promise<WebhookAnswer | null> {
    return this.#changed(id, async (endpoint) => {
      await this.#dispatcher.change(id, () => this.#endpoints.delete(endpoint, by));
      return endpoint;
    });
  }

  /** Sends everything that has waited for the endpoint. */
  enable(id: string, by: string): Promise<WebhookAnswer | null> {
    return this.#changed(id, async (endpoint) => {
      const enabled = await this.#endpoints.enable(endpoint, by);
      await this.#hasten(id);
      return enabled;
    });
  }

  disable(id: string, by: string): Promise<WebhookAnswer | null> {
    return this.#changed(id, (endpoint) => this.#endpoints.disable(endpoint, by));
  }

  async rotate(id: string, by: string): Promise<WebhookSecretAnswer | null> {
    const endpoint = this.#find(id);
    if (endpoint === null) return null;
    const changed = await this.#endpoints.rotate(endpoint, by);
    await this.#hasten(id);
    this.#dispatcher.wake();
    return { secret: presentSecret(changed), previousUntil: rotatedUntil(changed, this.#dependencies.clock.now()) };
  }

  /** Sends one request without an outcome. It is not stored. */
  async test(id: string): Promise<WebhookTestAnswer | null> {
    const endpoint = this.#find(id);
    if (endpoint === null) return null;
    const about = { id: uuid(), type: 'webhook.test', timestamp: formatInstant(this.#dependencies.clock.now()) };
    const { url, secrets, trophySignature } = endpoint;
    const message = { url, secrets, trophySignature, id: about.id, body: JSON.stringify(about), replay: false };
    const { status, tookMs, response, error } = await this.#sender.send(message);
    return { delivered: error === null, status, tookMs, response, error };
  }

  /** Newest first, only those before the id `before`; one more than `limit` if there are more. */
  async deliveries(
    id: string,
    state: DeliveryState | null,
    before: string | null,
    limit: number,
  ): Promise<readonly WebhookDeliveryAnswer[] | null> {
    return this.#find(id) && this.#listing.list(id, state, before, limit + 1);
  }

  /** @throws ProblemError 422 if its outcome is deleted */
  async resend(id: string, delivery: string): Promise<WebhookDeliveryAnswer | 'unknown_webhook' | 'unknown_delivery'> {
    if (this.#find(id) === null) return 'unknown_webhook';
    const found = await this.#deliveries.find(id, delivery);
    if (found === null) return 'unknown_delivery';
    if (found.body === null && !(await this.#isKept(found)))
      throw invalidField('delivery', 'is of an outcome that is kept no longer');
    const now = this.#dependencies.clock.now();
    const resent = await this.#dispatcher.change(id, () => this.#deliveries.resend(id, delivery, now));
    this.#dispatcher.wake();
    return resent ?? 'unknown_delivery';
  }

  /**
   * Sends outcomes again, from a sequence up to the last one that the endpoint has received. @throws ProblemError 422
   * if they are deleted or not made yet
   */
  async replay(id: string, { from, types = null }: WebhookReplayRequest): Promise<WebhookAnswer | null> {
    if (this.#find(id) === null) return null;
    const [oldest, newest] = await Promise.all([
      this.#dependencies.outcomes.oldest(this.#dependencies.account),
      this.#newest(),
    ]);
    const message =
      from < oldest
        ? `must be ${oldest} or more: nothing older is kept`
        : `must be ${newest + 1} or less: nothing newer was made yet`;
    if (from < oldest || from > newest + 1) throw invalidField('from', message);
    return this.#changed(id, (endpoint) => {
      if (endpoint.taken < from) return Promise.resolve(endpoint);
      return this.#dispatcher.change(id, () =>
        this.#endpoints.update(endpoint, { replay: { from: from - 1, to: endpoint.taken, types } }),
      );
    });
  }

  /**
   * Deletes everything about an erased user from deliveries, once no outcome read earlier can still become a delivery.
   * @throws StoreUnavailableError; the dispatcher then retries every ten minutes
   */
  async forgetUser(userKey: string): Promise<void> {
    await this.#dispatcher.changed();
    try {
      await this.#deliveries.forgetUser(this.#dependencies.account, userKey);
    } catch (error) {
      this.#dispatcher.forgetErasedLater();
      throw error;
    }
  }

  /** Retries failed deliveries at once, because the cause may be gone. */
  #hasten(id: string): Promise<void> {
    return this.#dispatcher.change(id, () => this.#deliveries.hasten(id, this.#dependencies.clock.now()));
  }

  async #isKept({ sequence, outcome }: { readonly sequence: number; readonly outcome: string }): Promise<boolean> {
    const [kept] = await this.#dependencies.outcomes.read(this.#dependencies.account, {
      after: sequence - 1,
      limit: 1,
    });
    return kept?.id === outcome;
  }

  /** Never rejects: the list is empty while the database cannot be read. */
  async #refresh(): Promise<void> {
    const now = this.#dependencies.clock.elapsedMs();
    if (now - this.#refreshedAtMs < REFRESHED_EVERY_MS) return;
    this.#refreshedAtMs = now;
    this.#latest = await this.status().catch(() => []);
  }

  async #changed(id: string, work: (endpoint: Endpoint) => Promise<Endpoint>): Promise<WebhookAnswer | null> {
    const endpoint = this.#find(id);
    if (endpoint === null) return null;
    const changed = await work(endpoint);
    this.#dispatcher.wake();
    const source = { deliveries: this.#deliveries, outcomes: this.#dependencies.outcomes };
    const [answer = null] = await this.#answersOf([changed], source);
    return answer;
  }

  async #answersOf(
    endpoints: readonly Endpoint[],
    source: ProgressSource & { readonly outcomes: Pick<Outcomes, 'newest'> },
  ): Promise<readonly WebhookAnswer[]> {
    const [newest, progress] = await Promise.all([
      source.outcomes.newest(this.#dependencies.account),
      progressOf(endpoints, source),
    ]);
    return endpoints.map((endpoint) => this.#answerOf(endpoint, newest, progress.get(endpoint.id)));
  }

  #answerOf(endpoint: Endpoint, newest: number, progress?: DeliveryProgress): WebhookAnswer {
    const { madeTypes, clock } = this.#dependencies;
    return webhookAnswer(endpoint, { newest, progress, madeTypes, now: clock.now() });
  }

  #find(id: string): Endpoint | null {
    return this.#endpoints.find(this.#dependencies.account, id);
  }

  #newest(): Promise<number> {
    return this.#dependencies.outcomes.newest(this.#dependencies.account);
  }
}

/** Several monitors may ask, each for several metrics. */
const REFRESHED_EVERY_MS = 5_000;
