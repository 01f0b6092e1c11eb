import { formatInstant, type Instant } from '@laurel/calendar';
import { StoreUnavailableError, type SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import {
  invalidRequest,
  ProblemError,
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
import type { DataSource } from 'typeorm';
import { v4 as uuid } from 'uuid';
import { Deliveries, type DeliveryProgress } from './delivery/deliveries.ts';
import { Dispatcher, isAbout, MOST_IN_PROGRESS } from './delivery/dispatcher.ts';
import { Sender } from './delivery/sender.ts';
import type { Resolve } from './destinations/checked-connector.ts';
import { Destinations } from './destinations/destinations.ts';
import { Endpoints, rotatedUntil, type Endpoint, type RecordWebhookChange } from './endpoints/endpoints.ts';
import type { SecretBox } from './secrets/secret-box.ts';

export interface WebhooksParts {
  /** With the tables of `webhookMigrations`. */
  readonly dataSource: DataSource;
  /** For lists: what is sent does not wait for who looks at it. */
  readonly listing: { readonly sql: SqlReader; readonly outcomes: Pick<Outcomes, 'newest' | 'read'> };
  readonly outcomes: Outcomes;
  /** Resolves once outcomes are made of what has happened by now, as far as possible. Absent: they are not waited for. */
  readonly caughtUp?: () => Promise<boolean>;
  readonly clock: Clock;
  readonly account: string;
  /** The types that the configuration in force makes. @throws Error if there is no configuration yet */
  readonly madeTypes: () => ReadonlySet<string>;
  /** The table of the directory, schema-qualified where it must be; absent: `subjects`. */
  readonly subjects?: string;
  readonly box: SecretBox;
  /** LAUREL_WEBHOOK_ALLOW. */
  readonly allow: readonly string[];
  readonly retryScale: number;
  readonly resolve?: Resolve;
  readonly onFailure: (error: unknown) => void;
  readonly onDisabled: (endpoint: Endpoint) => void;
  /** Absent: changes of endpoints are recorded nowhere. */
  readonly record?: RecordWebhookChange;
}

/** How often endpoints were asked since the process began. */
export interface AttemptCounts {
  readonly delivered: number;
  readonly failed: number;
}

/** The endpoints of an account and what is sent to them. */
export class Webhooks {
  readonly #parts: WebhooksParts;
  readonly #endpoints: Endpoints;
  readonly #deliveries: Deliveries;
  readonly #listing: Deliveries;
  readonly #sender: Sender;
  readonly #dispatcher: Dispatcher;
  #latest: readonly WebhookStatus[] = [];
  #refreshedAtMs = -Infinity;
  readonly #attempts = { delivered: 0, failed: 0 };

  private constructor(parts: WebhooksParts, endpoints: Endpoints, destinations: Destinations, sql: SqlReader) {
    const { outcomes, clock, account, retryScale, onFailure, onDisabled, resolve } = parts;
    this.#parts = parts;
    this.#endpoints = endpoints;
    this.#deliveries = new Deliveries(sql, parts.subjects);
    this.#listing = new Deliveries(parts.listing.sql);
    this.#sender = new Sender(destinations, clock, MOST_IN_PROGRESS, resolve);
    this.#dispatcher = new Dispatcher({
      ...{ outcomes, endpoints, deliveries: this.#deliveries, sender: this.#sender, clock, account, retryScale },
      ...{ onFailure, onDisabled, onAttempt: (delivered) => this.#attempts[delivered ? 'delivered' : 'failed']++ },
    });
  }

  /** Nothing is sent before {@link start}. @throws StoreUnavailableError */
  static async open(parts: WebhooksParts): Promise<Webhooks> {
    const { dataSource, clock, box, allow, record } = parts;
    const destinations = new Destinations(allow);
    const endpoints = await Endpoints.open({ dataSource, clock, box, destinations, ...(record && { record }) });
    return new Webhooks(parts, endpoints, destinations, sqlReader(dataSource));
  }

  /** @throws StoreUnavailableError */
  async start(): Promise<void> {
    await this.#deliveries.forgetErased(this.#parts.account);
    await this.#dispatcher.resume();
    await this.#refresh();
    this.#dispatcher.start();
  }

  /** What is in progress is sent again by the next process. */
  async close(): Promise<void> {
    await this.#dispatcher.close();
    await this.#sender.close();
    await this.#dispatcher.settled();
  }

  /** Resolves once nothing is in progress, and nothing could be begun at present. */
  settled(): Promise<void> {
    return this.#dispatcher.settled();
  }

  get attempts(): AttemptCounts {
    return this.#attempts;
  }

  get inProgress(): number {
    return this.#dispatcher.inProgress;
  }

  /** The smallest sequence of an outcome that an endpoint still needs; null: none. @throws StoreUnavailableError */
  oldestNeeded(): Promise<number | null> {
    return this.#dispatcher.oldestNeeded();
  }

  /** Those that are disabled, and why; from memory. */
  get disabled(): readonly Pick<Endpoint, 'id' | 'url' | 'disabledBecause'>[] {
    return this.#endpoints.list(this.#parts.account).filter(({ disabledBecause }) => disabledBecause !== null);
  }

  /** @throws StoreUnavailableError, as all below */
  async list(): Promise<readonly WebhookAnswer[]> {
    const endpoints = await this.#endpoints.all(this.#parts.account);
    const [newest, progress] = await Promise.all([
      this.#parts.listing.outcomes.newest(this.#parts.account),
      this.#progress(endpoints, { deliveries: this.#listing, outcomes: this.#parts.listing.outcomes }),
    ]);
    return endpoints.map((endpoint) => this.#answerOf(endpoint, newest, progress.get(endpoint.id)));
  }

  /** How far each endpoint has come. For one that is disabled, outcomes wait without being deliveries. */
  async #progress(
    endpoints: readonly Endpoint[],
    { deliveries, outcomes }: ProgressSource,
  ): Promise<ReadonlyMap<string, DeliveryProgress>> {
    const all = new Map(await deliveries.progress(endpoints.map(({ id }) => id)));
    // One after the other: the statements for lists have few places to wait.
    for (const endpoint of endpoints) {
      if (endpoint.disabledBecause === null) continue;
      const progress = all.get(endpoint.id) ?? NOTHING_YET;
      const waits = [progress.oldestAt, await this.#waitingSince(endpoint, outcomes)].filter((at) => at !== null);
      all.set(endpoint.id, { ...progress, oldestAt: waits.length === 0 ? null : Math.min(...waits) });
    }
    return all;
  }

  /** When the first outcome behind the cursor of an endpoint happened that it asks for; null: there is none. */
  async #waitingSince({ id, taken, types }: Endpoint, outcomes: ProgressSource['outcomes']): Promise<Instant | null> {
    const asked = { after: taken, limit: READ_OF_WAITING, ...(types !== null && { types }) };
    const waiting = await outcomes.read(this.#parts.account, asked);
    return waiting.find((outcome) => !isAbout(outcome, id))?.timestamp ?? null;
  }

  /** How far each is behind: as of some seconds ago, for who asks again and again. Reads again, in the background, what is older. */
  get latest(): readonly WebhookStatus[] {
    void this.#refresh();
    return this.#latest;
  }

  /** The same as of now. */
  async status(): Promise<readonly WebhookStatus[]> {
    return (await this.list()).map(statusOf);
  }

  /**
   * @throws ProblemError 422 if its URL is none that may be sent to, or there are too many; StoreUnavailableError while outcomes of what
   * happened before are still to be made
   */
  async create(request: NewWebhookRequest, by: string): Promise<NewWebhookAnswer> {
    // What happened before is not sent.
    if ((await this.#parts.caughtUp?.()) === false)
      throw new StoreUnavailableError('the outcomes of what happened before are still being made');
    const newest = await this.#newest();
    const endpoint = await this.#endpoints.create(this.#parts.account, request, by, newest);
    return { ...this.#answerOf(endpoint, newest), secret: presentSecret(endpoint) };
  }

  /** null, as below: there is no such endpoint. @throws ProblemError 422 if its URL is none that may be sent to */
  change(id: string, change: WebhookChange, by: string): Promise<WebhookAnswer | null> {
    return this.#changed(id, async (endpoint) => {
      const changed = await this.#endpoints.change(endpoint, change, by);
      if (changed.url !== endpoint.url) await this.#hasten(id);
      return changed;
    });
  }

  /** As it was. */
  async delete(id: string, by: string): Promise<WebhookAnswer | null> {
    return this.#changed(id, async (endpoint) => {
      await this.#dispatcher.change(id, () => this.#endpoints.delete(endpoint, by));
      return endpoint;
    });
  }

  /** What has waited for it is sent. */
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
    return { secret: presentSecret(changed), previousUntil: rotatedUntil(changed, this.#parts.clock.now()) };
  }

  /** Sends one request that no outcome stands behind, and keeps nothing of it. */
  async test(id: string): Promise<WebhookTestAnswer | null> {
    const endpoint = this.#find(id);
    if (endpoint === null) return null;
    const about = { id: uuid(), type: 'webhook.test', timestamp: formatInstant(this.#parts.clock.now()) };
    const { url, secrets, trophySignature } = endpoint;
    const message = { url, secrets, trophySignature, id: about.id, body: JSON.stringify(about), replay: false };
    const { status, tookMs, response, error } = await this.#sender.send(message);
    return { delivered: error === null, status, tookMs, response, error };
  }

  /** The newest first, behind the id `before`; one more than `limit` if there is one. */
  async deliveries(
    id: string,
    state: DeliveryState | null,
    before: string | null,
    limit: number,
  ): Promise<readonly WebhookDeliveryAnswer[] | null> {
    return this.#find(id) && this.#listing.list(id, state, before, limit + 1);
  }

  /** @returns `unknown_webhook` or `unknown_delivery`: there is none @throws ProblemError 422 if nothing is kept of what it would send */
  async resend(id: string, delivery: string): Promise<WebhookDeliveryAnswer | 'unknown_webhook' | 'unknown_delivery'> {
    if (this.#find(id) === null) return 'unknown_webhook';
    const found = await this.#deliveries.find(id, delivery);
    if (found === null) return 'unknown_delivery';
    if (found.body === null && !(await this.#isKept(found)))
      throw new ProblemError(
        invalidRequest([{ path: 'delivery', message: 'is of an outcome that is kept no longer' }]),
      );
    const now = this.#parts.clock.now();
    const resent = await this.#dispatcher.change(id, () => this.#deliveries.resend(id, delivery, now));
    this.#dispatcher.wake();
    return resent ?? 'unknown_delivery';
  }

  /**
   * Sends outcomes again, from a sequence up to the last that the endpoint has had. @throws ProblemError 422 if they are not kept, or there are
   * none yet
   */
  async replay(id: string, { from, types = null }: WebhookReplayRequest): Promise<WebhookAnswer | null> {
    if (this.#find(id) === null) return null;
    const [oldest, newest] = await Promise.all([this.#parts.outcomes.oldest(this.#parts.account), this.#newest()]);
    const message =
      from < oldest
        ? `must be ${oldest} or more: nothing older is kept`
        : `must be ${newest + 1} or less: nothing newer was made yet`;
    if (from < oldest || from > newest + 1) throw new ProblemError(invalidRequest([{ path: 'from', message }]));
    return this.#changed(id, (endpoint) => {
      if (endpoint.taken < from) return Promise.resolve(endpoint);
      return this.#dispatcher.change(id, () =>
        this.#endpoints.update(endpoint, { replay: { from: from - 1, to: endpoint.taken, types } }),
      );
    });
  }

  /**
   * Takes away what deliveries tell of a user who is erased, once no outcome that was read before is on its way into them.
   * @throws StoreUnavailableError: it is tried again every ten minutes
   */
  async forgetUser(userKey: string): Promise<void> {
    await this.#dispatcher.changed();
    try {
      await this.#deliveries.forgetUser(this.#parts.account, userKey);
    } catch (error) {
      this.#dispatcher.forgetErasedLater();
      throw error;
    }
  }

  /** What failed is tried at once: its cause may be gone. */
  #hasten(id: string): Promise<void> {
    return this.#dispatcher.change(id, () => this.#deliveries.hasten(id, this.#parts.clock.now()));
  }

  async #isKept({ sequence, outcome }: { readonly sequence: number; readonly outcome: string }): Promise<boolean> {
    const [kept] = await this.#parts.outcomes.read(this.#parts.account, { after: sequence - 1, limit: 1 });
    return kept?.id === outcome;
  }

  /** Never rejects: while the database cannot be read, nothing is known. */
  async #refresh(): Promise<void> {
    const now = this.#parts.clock.elapsedMs();
    if (now - this.#refreshedAtMs < REFRESHED_EVERY_MS) return;
    this.#refreshedAtMs = now;
    this.#latest = await this.status().catch(() => []);
  }

  async #changed(id: string, work: (endpoint: Endpoint) => Promise<Endpoint>): Promise<WebhookAnswer | null> {
    const endpoint = this.#find(id);
    if (endpoint === null) return null;
    const changed = await work(endpoint);
    this.#dispatcher.wake();
    const [newest, progress] = await Promise.all([
      this.#newest(),
      this.#progress([changed], { deliveries: this.#deliveries, outcomes: this.#parts.outcomes }),
    ]);
    return this.#answerOf(changed, newest, progress.get(id));
  }

  #find(id: string): Endpoint | null {
    return this.#endpoints.find(this.#parts.account, id);
  }

  #newest(): Promise<number> {
    return this.#parts.outcomes.newest(this.#parts.account);
  }

  #answerOf(endpoint: Endpoint, newest: number, { oldestAt, ...counts } = NOTHING_YET): WebhookAnswer {
    const { id, url, description, types, ordering, trophySignature, disabledBecause, failingSince } = endpoint;
    const { lastSuccessAt, createdBy, replay, taken } = endpoint;
    return {
      ...{ id, url, description, types: types && [...types], ordering, trophySignature },
      minimumInterval: endpoint.minimumInterval,
      state: disabledBecause === null ? 'enabled' : 'disabled',
      disabledBecause,
      stateSince: formatInstant(endpoint.stateSince),
      failingSince: failingSince === null ? null : formatInstant(failingSince),
      lastSuccessAt: lastSuccessAt === null ? null : formatInstant(lastSuccessAt),
      behind: Math.max(0, newest - taken),
      ...counts,
      oldestAt: oldestAt === null ? null : formatInstant(oldestAt),
      replaying: replay !== null,
      rotatedUntil: rotatedUntil(endpoint, this.#parts.clock.now()),
      createdAt: formatInstant(endpoint.createdAt),
      createdBy,
      warnings: this.#warningsOf(types),
    };
  }

  #warningsOf(types: Endpoint['types']): string[] {
    if (types === null) return [];
    const made = this.#parts.madeTypes();
    return types
      .filter((type) => !made.has(type))
      .map((type) => `${type} is among the types, but the configuration does not make it: name it in outgoing.events`);
  }
}

/** Where the progress of endpoints is read. A change does not wait behind those who look at lists. */
interface ProgressSource {
  readonly deliveries: Pick<Deliveries, 'progress'>;
  readonly outcomes: Pick<Outcomes, 'read'>;
}

/** Some of the first ones may say that the endpoint itself was disabled. */
const READ_OF_WAITING = 5;

/** Monitors ask each of several metrics, and may be several. */
const REFRESHED_EVERY_MS = 5_000;

const statusOf = (webhook: WebhookAnswer): WebhookStatus => {
  const { id, url, state, disabledBecause, failingSince, lastSuccessAt } = webhook;
  const { behind, unfinished, heldBack, abandoned, oldestAt, warnings } = webhook;
  return {
    ...{ id, url, state, disabledBecause, failingSince, lastSuccessAt },
    ...{ behind, unfinished, heldBack, abandoned, oldestAt, warnings },
  };
};

const NOTHING_YET: DeliveryProgress = { unfinished: 0, heldBack: 0, abandoned: 0, oldestAt: null };

function presentSecret({ secrets }: Endpoint): string {
  const present = secrets.find(({ until }) => until === null);
  if (present === undefined) throw new Error('an endpoint has no secret');
  return present.secret;
}
