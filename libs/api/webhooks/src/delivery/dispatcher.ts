import type { Instant } from '@laurel/calendar';
import { repeat, type CancelTimer, type Clock } from '@laurel/ports';
import { MOST_HELD_BACK_MS, type Outcomes } from '@laurel/outgoing';
import type { Endpoint, Endpoints } from '../endpoints/endpoints.ts';
import { nextAttemptAt } from '../schedule/retry-schedule.ts';
import type { Deliveries } from './deliveries.ts';
import type { AttemptResult, DueDelivery, FinishedAttempt } from './delivery.ts';
import { EndpointRecord } from './endpoint-record.ts';
import { intervalOf, outcomeTaker } from './take-outcomes.ts';
import type { Sender } from './sender.ts';

/** Most requests in progress, for one endpoint and in total. */
export const MOST_OF_ENDPOINT = 8;
export const MOST_IN_PROGRESS = 64;
/** Most bytes of bodies in progress. A single larger body is sent alone. */
const MOST_BYTES = 16 * 1024 ** 2;
/** Interval at which the dispatcher looks for work even without being woken. */
const LOOK_EVERY_MS = 60_000;
const CLEAN_EVERY_MS = 10 * 60_000;

export interface DispatcherDependencies {
  readonly outcomes: Outcomes;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly sender: Pick<Sender, 'send'>;
  readonly clock: Clock;
  readonly account: string;
  /** Scales the delays between attempts and the days without a success. 1 except in tests. */
  readonly retryScale: number;
  readonly onFailure: (error: unknown) => void;
  readonly onDisabled: (endpoint: Endpoint) => void;
  readonly onAttempt: (delivered: boolean) => void;
}

/** Runs the changes of one endpoint one after the other. */
export type ChangeEndpoint = <T>(endpoint: string, work: () => Promise<T>) => Promise<T>;

/**
 * Sends outcomes to endpoints: at least once each, in order within a lane, endpoints in turn. The tables say what to do, so after a kill
 * the next process continues. It repeats requests that were in progress.
 */
export class Dispatcher {
  readonly #dependencies: DispatcherDependencies;
  readonly #takeOutcomes: ReturnType<typeof outcomeTaker>;
  readonly #record: EndpointRecord;
  /**
   * The URL at which each endpoint last succeeded, unless a request has timed out since. Any other endpoint gets one
   * request at a time, so that hanging endpoints cannot use up {@link MOST_IN_PROGRESS}.
   */
  readonly #responsive = new Map<string, string>();
  /** Ids of deliveries in progress, by endpoint. */
  readonly #sending = new Map<string, Set<string>>();
  /** The last change of each endpoint's deliveries; the next change waits for it. */
  readonly #changes = new Map<string, Promise<unknown>>();
  readonly #cancels: CancelTimer[] = [];
  #inProgress = 0;
  #bytes = 0;
  #turn = 0;
  #cancelNext: CancelTimer = () => undefined;
  #asked = false;
  #running: Promise<void> | null = null;
  #closing = false;
  #cleaning: Promise<void> = Promise.resolve();
  #lacksForgetting = false;
  #onIdle: (() => void)[] = [];

  constructor(dependencies: DispatcherDependencies) {
    this.#dependencies = dependencies;
    const change: ChangeEndpoint = (endpoint, work) => this.change(endpoint, work);
    this.#takeOutcomes = outcomeTaker(dependencies, change);
    this.#record = new EndpointRecord(dependencies, change);
  }

  /** Starts, also with the deliveries that an earlier process left. */
  start(): void {
    const { clock, outcomes, endpoints, account, onFailure } = this.#dependencies;
    for (const { id, url, failingSince, lastSuccessAt } of endpoints.list(account))
      if (failingSince === null && lastSuccessAt !== null) this.#responsive.set(id, url);
    this.#cancels.push(
      outcomes.onWritten(() => this.wake()),
      repeat(clock, LOOK_EVERY_MS, () => Promise.resolve(this.wake()), onFailure),
      repeat(clock, CLEAN_EVERY_MS, () => (this.#cleaning = this.#clean()), onFailure),
    );
    this.wake();
  }

  /** Looks for deliveries to send soon. */
  wake(): void {
    this.#asked = true;
    if (this.#closing || this.#running !== null) return;
    this.#running = this.#run()
      .catch((error: unknown) => this.#dependencies.onFailure(error))
      .finally(() => {
        this.#running = null;
        if (this.#inProgress === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
      });
  }

  /** Resolves once nothing is in progress and nothing can begin at present. */
  async settled(): Promise<void> {
    while (this.#running !== null || this.#inProgress > 0)
      await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Changes deliveries of an endpoint, one change at a time. */
  change<T>(endpoint: string, work: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(endpoint) ?? Promise.resolve();
    const done = before.then(work, work);
    const settled = done.catch(() => undefined);
    this.#changes.set(endpoint, settled);
    void settled.then(() => {
      if (this.#changes.get(endpoint) === settled) this.#changes.delete(endpoint);
    });
    return done;
  }

  /** Makes the next cleaning delete everything about erased users from deliveries. */
  forgetErasedLater(): void {
    this.#lacksForgetting = true;
  }

  /** Resolves once all changes that have begun are stored. */
  async changed(): Promise<void> {
    await Promise.all(this.#changes.values());
  }

  /**
   * The smallest sequence that an endpoint still needs and that is not too old, or null. @throws StoreUnavailableError
   */
  async oldestNeeded(): Promise<number | null> {
    const { endpoints, deliveries, outcomes, account, clock } = this.#dependencies;
    const since = clock.now() - MOST_HELD_BACK_MS;
    const behind = endpoints
      .list(account)
      .filter(({ disabledBecause, stateSince }) => disabledBecause === null || stateSince >= since)
      .map(({ taken, replay }) => Math.min(taken, replay?.from ?? taken) + 1);
    const stored = await deliveries.oldestNeeded(account, await outcomes.oldest(account));
    const needed = stored === null ? behind : [...behind, stored];
    return needed.length === 0 ? null : Math.min(...needed);
  }

  /** Number of requests in progress. */
  get inProgress(): number {
    return this.#inProgress;
  }

  /**
   * Begins no further requests. The result of a request in progress is stored if it ends before the sender is closed.
   */
  async close(): Promise<void> {
    this.#closing = true;
    for (const cancel of this.#cancels.splice(0)) cancel();
    await this.#running;
    await this.#cleaning.catch(() => undefined);
    this.#cancelNext();
  }

  async #run(): Promise<void> {
    while (this.#asked && !this.#closing) {
      this.#asked = false;
      const since = this.#dependencies.clock.now();
      const enabled = this.#dependencies.endpoints
        .list(this.#dependencies.account)
        .filter(({ disabledBecause }) => disabledBecause === null);
      if (enabled.length === 0) return;
      this.#turn = (this.#turn + 1) % enabled.length;
      const newest = await this.#dependencies.outcomes.newest(this.#dependencies.account);
      for (const endpoint of [...enabled.slice(this.#turn), ...enabled.slice(0, this.#turn)])
        await this.#serve(endpoint, newest);
      if (!this.#asked) await this.#plan(enabled, since);
    }
  }

  /**
   * Wakes the dispatcher when the next attempt is due. @param since an instant before it last looked, because it may
   * have missed deliveries that became due since
   */
  async #plan(enabled: readonly Endpoint[], since: Instant): Promise<void> {
    const { deliveries, clock } = this.#dependencies;
    const times = await Promise.all(enabled.map(({ id }) => deliveries.nextDueAt(id, since)));
    const next = Math.min(...times.map((time) => time ?? Infinity));
    const delayMs = Math.max(0, next - clock.now());
    this.#cancelNext();
    if (delayMs < LOOK_EVERY_MS) this.#cancelNext = clock.after(delayMs, () => this.wake());
  }

  async #serve(endpoint: Endpoint, newest: number): Promise<void> {
    const { deliveries, clock } = this.#dependencies;
    const sending = this.#sending.get(endpoint.id) ?? new Set();
    const most = this.#responsive.get(endpoint.id) === endpoint.url ? MOST_OF_ENDPOINT : 1;
    const free = Math.min(most - sending.size, MOST_IN_PROGRESS - this.#inProgress);
    if (free <= 0) return;
    const interval = intervalOf(endpoint);
    await this.change(endpoint.id, () =>
      deliveries.release(endpoint.id, clock.now(), endpoint.ordering === 'strict', interval === 0),
    );
    const due = await deliveries.due(endpoint.id, clock.now(), [...sending], free);
    for (const delivery of due) if (!(await this.#begin(endpoint, delivery))) return;
    if (due.length < free && (await this.#takeOutcomes(endpoint, newest))) this.#asked = true;
  }

  /** @returns false if too many bytes are in memory to begin now */
  async #begin(endpoint: Endpoint, due: DueDelivery): Promise<boolean> {
    const { outcomes, deliveries, clock, account } = this.#dependencies;
    const [outcome] = await outcomes.read(account, { after: due.sequence - 1, limit: 1 });
    const body = due.body ?? (outcome?.id === due.outcome ? outcome.body : null);
    if (body === null) {
      await this.change(endpoint.id, () => deliveries.drop(endpoint.id, due.id, clock.now()));
      this.#asked = true;
      return true;
    }
    const bytes = Buffer.byteLength(body);
    if (this.#inProgress > 0 && this.#bytes + bytes > MOST_BYTES) return false;
    const sending = this.#sending.get(endpoint.id) ?? new Set();
    this.#sending.set(endpoint.id, sending.add(due.id));
    this.#inProgress++;
    this.#bytes += bytes;
    void this.#attempt(endpoint, due, body)
      .catch((error: unknown) => this.#dependencies.onFailure(error))
      .finally(() => {
        sending.delete(due.id);
        if (sending.size === 0) this.#sending.delete(endpoint.id);
        this.#inProgress--;
        this.#bytes -= bytes;
        this.wake();
        if (this.#closing && this.#inProgress === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
      });
    return true;
  }

  async #attempt({ account, id }: Endpoint, due: DueDelivery, body: string): Promise<void> {
    const { sender, deliveries, endpoints, clock, onAttempt } = this.#dependencies;
    // The endpoint may have changed since the delivery was found.
    const endpoint = endpoints.find(account, id);
    if (endpoint === null || endpoint.disabledBecause !== null) return;
    const { url, secrets, trophySignature } = endpoint;
    const message = { url, secrets, trophySignature, id: due.outcome, body, replay: due.replay };
    const result = await sender.send(message);
    if (this.#closing && result.status === null) return;
    const at = clock.now();
    await this.change(endpoint.id, () =>
      deliveries.finish(endpoint.id, due, body, this.#judge(endpoint, due, result, at)),
    );
    onAttempt(result.error === null);
    if (result.error === null) this.#responsive.set(id, url);
    else if (result.timedOut) this.#responsive.delete(id);
    await this.#record.note(endpoint, result, at);
  }

  #judge(endpoint: Endpoint, due: DueDelivery, result: AttemptResult, at: Instant): FinishedAttempt {
    const { status, tookMs, response, error, retryAfterMs } = result;
    const noted = { status, tookMs, response, error, at };
    if (error === null) return { ...noted, state: 'delivered', nextAt: null };
    const failed = {
      endpoint: endpoint.id,
      outcome: due.outcome,
      attempt: due.attempts + 1,
      failedAt: at,
      retryAfterMs,
    };
    const nextAt = nextAttemptAt(failed, this.#dependencies.retryScale);
    return nextAt === null ? { ...noted, state: 'abandoned', nextAt } : { ...noted, state: 'failed', nextAt };
  }

  /** Restarts lanes in which every delivery waits. @throws StoreUnavailableError */
  async resume(): Promise<void> {
    const { endpoints, deliveries, account, clock } = this.#dependencies;
    for (const { id } of endpoints.list(account)) await this.change(id, () => deliveries.resume(id, clock.now()));
    this.wake();
  }

  async #clean(): Promise<void> {
    const { endpoints, deliveries, account, clock } = this.#dependencies;
    if (this.#lacksForgetting) await this.#forgetErased();
    for (const id of this.#responsive.keys()) if (endpoints.find(account, id) === null) this.#responsive.delete(id);
    for (const { id } of endpoints.list(account)) await deliveries.clean(id, clock.now());
    await this.resume();
  }

  async #forgetErased(): Promise<void> {
    this.#lacksForgetting = false;
    try {
      await this.changed();
      await this.#dependencies.deliveries.forgetErased(this.#dependencies.account);
    } catch (error) {
      this.#lacksForgetting = true;
      throw error;
    }
  }
}
