import type { Instant } from '@laurel/calendar';
import { repeat, type CancelTimer, type Clock } from '@laurel/ports';
import { MOST_HELD_BACK_MS, type Outcome, type Outcomes } from '@laurel/outgoing';
import type { Endpoint, Endpoints } from '../endpoints/endpoints.ts';
import { MOST_FAILING_MS, nextAttemptAt } from '../schedule/retry-schedule.ts';
import { coalesced, coalescedAs } from './coalesce.ts';
import type { AttemptResult, Deliveries, DueDelivery, FinishedAttempt, HeldDelivery } from './deliveries.ts';
import type { Sender } from './sender.ts';

/** Requests in progress, of an endpoint and in all. */
export const MOST_OF_ENDPOINT = 8;
export const MOST_IN_PROGRESS = 64;
/** Bodies of the requests in progress; a single larger one is sent alone. */
const MOST_BYTES = 16 * 1024 ** 2;
/** Outcomes that become deliveries in one statement. */
const TAKEN_AT_ONCE = 200;
/** Of an endpoint; the rest waits as outcomes. */
const MOST_UNFINISHED = 10_000;
/** Of an endpoint, each for one user and subject; with more, the longest held are sent before their time. */
export const MOST_HELD = 50_000;
/** How often it is looked whether there is something to do, if nothing else says so. */
const LOOK_EVERY_MS = 60_000;
const CLEAN_EVERY_MS = 10 * 60_000;

export interface DispatcherParts {
  readonly outcomes: Outcomes;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly sender: Pick<Sender, 'send'>;
  readonly clock: Clock;
  readonly account: string;
  /** By which the delays between attempts, and the days without a success, are multiplied: 1 but in tests. */
  readonly retryScale: number;
  readonly onFailure: (error: unknown) => void;
  readonly onDisabled: (endpoint: Endpoint) => void;
  readonly onAttempt: (delivered: boolean) => void;
}

/**
 * Sends outcomes to endpoints: at least once each, in order within a lane, endpoints in turn. What is stored says what is to be done, so
 * a process that is killed goes on where it was; what was in progress then is sent again.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  /**
   * Where each endpoint last answered with success, unless a request has timed out since. Any other endpoint gets one request at a time,
   * so that those that hang cannot use up {@link MOST_IN_PROGRESS}.
   */
  readonly #responsive = new Map<string, string>();
  /** Ids of deliveries in progress, by endpoint. */
  readonly #sending = new Map<string, Set<string>>();
  /** The last change of each endpoint's deliveries: the next one follows it. */
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

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Begins with what an earlier process left. */
  start(): void {
    const { clock, outcomes, endpoints, account, onFailure } = this.#parts;
    for (const { id, url, failingSince, lastSuccessAt } of endpoints.list(account))
      if (failingSince === null && lastSuccessAt !== null) this.#responsive.set(id, url);
    this.#cancels.push(
      outcomes.onWritten(() => this.wake()),
      repeat(clock, LOOK_EVERY_MS, () => Promise.resolve(this.wake()), onFailure),
      repeat(clock, CLEAN_EVERY_MS, () => (this.#cleaning = this.#clean()), onFailure),
    );
    this.wake();
  }

  /** Looks for something to send, soon. */
  wake(): void {
    this.#asked = true;
    if (this.#closing || this.#running !== null) return;
    this.#running = this.#run()
      .catch((error: unknown) => this.#parts.onFailure(error))
      .finally(() => {
        this.#running = null;
        if (this.#inProgress === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
      });
  }

  /** Resolves once nothing is in progress, and nothing could be begun at present. */
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

  /** Has the next cleaning take away what deliveries tell of erased users. */
  forgetErasedLater(): void {
    this.#lacksForgetting = true;
  }

  /** Resolves once the changes are made that have begun. */
  async changed(): Promise<void> {
    await Promise.all(this.#changes.values());
  }

  /** The smallest sequence that an endpoint still needs, unless it is too old; null: none needs any. @throws StoreUnavailableError */
  async oldestNeeded(): Promise<number | null> {
    const { endpoints, deliveries, outcomes, account, clock } = this.#parts;
    const since = clock.now() - MOST_HELD_BACK_MS;
    const behind = endpoints
      .list(account)
      .filter(({ disabledBecause, stateSince }) => disabledBecause === null || stateSince >= since)
      .map(({ taken, replay }) => Math.min(taken, replay?.from ?? taken) + 1);
    const stored = await deliveries.oldestNeeded(account, await outcomes.oldest(account));
    const needed = stored === null ? behind : [...behind, stored];
    return needed.length === 0 ? null : Math.min(...needed);
  }

  /** Requests in progress. */
  get inProgress(): number {
    return this.#inProgress;
  }

  /** Begins nothing more; what is in progress is noted if it ends before the sender is closed. */
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
      const since = this.#parts.clock.now();
      const enabled = this.#parts.endpoints
        .list(this.#parts.account)
        .filter(({ disabledBecause }) => disabledBecause === null);
      if (enabled.length === 0) return;
      this.#turn = (this.#turn + 1) % enabled.length;
      const newest = await this.#parts.outcomes.newest(this.#parts.account);
      for (const endpoint of [...enabled.slice(this.#turn), ...enabled.slice(0, this.#turn)])
        await this.#serve(endpoint, newest);
      if (!this.#asked) await this.#plan(enabled, since);
    }
  }

  /** Wakes this when the next attempt is due. @param since before anything was looked for: what became due meanwhile may not have been found */
  async #plan(enabled: readonly Endpoint[], since: Instant): Promise<void> {
    const { deliveries, clock } = this.#parts;
    const times = await Promise.all(enabled.map(({ id }) => deliveries.nextDueAt(id, since)));
    const next = Math.min(...times.map((time) => time ?? Infinity));
    const delayMs = Math.max(0, next - clock.now());
    this.#cancelNext();
    if (delayMs < LOOK_EVERY_MS) this.#cancelNext = clock.after(delayMs, () => this.wake());
  }

  async #serve(endpoint: Endpoint, newest: number): Promise<void> {
    const { deliveries, clock } = this.#parts;
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
    if (due.length < free && (await this.#take(endpoint, newest))) this.#asked = true;
  }

  /** Makes deliveries of the next outcomes. @returns whether there were some */
  async #take(endpoint: Endpoint, newest: number): Promise<boolean> {
    const { outcomes, deliveries, endpoints, clock } = this.#parts;
    const { account, id, replay, taken } = endpoint;
    const kind = replay === null ? 'new' : 'replay';
    const from = replay?.from ?? taken;
    const until = replay?.to ?? newest;
    if (from >= until || (await deliveries.hasMoreThan(id, MOST_UNFINISHED))) return false;
    const types = replay?.types ?? endpoint.types ?? undefined;
    const strict = endpoint.ordering === 'strict';
    const at = clock.now();
    const interval = replay === null ? intervalOf(endpoint) : 0;
    // Read within the change, so that who waits for changes knows that none writes what was read before.
    return this.change(id, async () => {
      const read = await outcomes.read(account, { after: from, limit: TAKEN_AT_ONCE, types });
      const found = read.filter(({ sequence }) => sequence <= until);
      // What was read ends where something else may follow; if it is not full, nothing else is there up to `until`.
      const isLast = read.length < TAKEN_AT_ONCE || found.length < read.length;
      const to = isLast ? until : (found.at(-1)?.sequence ?? until);
      const meant = found.filter((outcome) => !isAbout(outcome, id));
      const { plain, held } = await this.#holdBack(id, meant, interval, at);
      const parts = { account, endpoint: id, kind, from, to, isLast, outcomes: plain, held, strict, at } as const;
      if (!(await deliveries.take(parts))) return endpoints.readCursors(endpoint);
      if (replay === null) endpoints.moved(endpoint, { taken: to });
      else endpoints.moved(endpoint, { replay: isLast ? null : { ...replay, from: to } });
      if (held.length > 0) await deliveries.releaseOver(id, MOST_HELD, at);
      return true;
    });
  }

  /** Sorts out what is not sent as it is, joined with what is held back already. */
  async #holdBack(endpoint: string, outcomes: readonly Outcome[], interval: number, at: Instant) {
    const plain: Outcome[] = [];
    const byLane = new Map<string, Outcome[]>();
    for (const outcome of outcomes) {
      const lane = interval === 0 ? null : coalescedAs(outcome);
      if (lane === null) plain.push(outcome);
      else byLane.set(lane, [...(byLane.get(lane) ?? []), outcome]);
    }
    const present = await this.#parts.deliveries.held(endpoint, [...byLane.keys()]);
    const held = [...byLane].map(([lane, own]): HeldDelivery => {
      const outcome = own.at(-1) as Outcome;
      const bodies = [present.get(lane) ?? [], own.map(({ body }) => body)].flat();
      const isLastAlone = outcome.type === 'leaderboard.changed';
      const body = isLastAlone ? null : bodies.reduce((first, last) => coalesced(outcome.type, first, last));
      return { lane, outcome, body, until: at + interval };
    });
    return { plain, held };
  }

  /** @returns false: not now, there is too much in memory */
  async #begin(endpoint: Endpoint, due: DueDelivery): Promise<boolean> {
    const { outcomes, deliveries, clock, account } = this.#parts;
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
      .catch((error: unknown) => this.#parts.onFailure(error))
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
    const { sender, deliveries, endpoints, clock, onAttempt } = this.#parts;
    // It may have been changed since it was looked for something to send.
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
    await this.#note(endpoint, result, at);
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
    const nextAt = nextAttemptAt(failed, this.#parts.retryScale);
    return nextAt === null ? { ...noted, state: 'abandoned', nextAt } : { ...noted, state: 'failed', nextAt };
  }

  /** What an attempt says of the endpoint as a whole. */
  async #note({ account, id, url }: Endpoint, { status, fault }: AttemptResult, at: Instant): Promise<void> {
    const { endpoints, onDisabled } = this.#parts;
    const endpoint = endpoints.find(account, id);
    // What is answered elsewhere says nothing of where it is sent by now.
    if (endpoint === null || endpoint.url !== url) return;
    if (fault === null) {
      const isNews = endpoint.failingSince !== null || at - (endpoint.lastSuccessAt ?? -Infinity) >= NOTED_EVERY_MS;
      if (isNews) await endpoints.update(endpoint, { failingSince: null, lastSuccessAt: at });
      return;
    }
    const failingSince = endpoint.failingSince ?? at;
    if (endpoint.failingSince === null) await endpoints.update(endpoint, { failingSince });
    const isGone = status === 410;
    if (endpoint.disabledBecause !== null || (!isGone && at - failingSince < MOST_FAILING_MS * this.#parts.retryScale))
      return;
    const because = isGone ? 'it answered with 410' : 'nothing has arrived for five days';
    // Others of its requests may fail at the same moment: it is disabled, and told of, once.
    await this.change(id, async () => {
      const present = endpoints.find(account, id);
      if (present === null || present.disabledBecause !== null || present.url !== url) return;
      onDisabled(await endpoints.giveUp(present, because, { status, error: fault }));
    });
  }

  /** Gets lanes going that stand still. @throws StoreUnavailableError */
  async resume(): Promise<void> {
    const { endpoints, deliveries, account, clock } = this.#parts;
    for (const { id } of endpoints.list(account)) await this.change(id, () => deliveries.resume(id, clock.now()));
    this.wake();
  }

  async #clean(): Promise<void> {
    const { endpoints, deliveries, account, clock } = this.#parts;
    if (this.#lacksForgetting) await this.#forgetErased();
    for (const id of this.#responsive.keys()) if (endpoints.find(account, id) === null) this.#responsive.delete(id);
    for (const { id } of endpoints.list(account)) await deliveries.clean(id, clock.now());
    await this.resume();
  }

  async #forgetErased(): Promise<void> {
    this.#lacksForgetting = false;
    try {
      await this.changed();
      await this.#parts.deliveries.forgetErased(this.#parts.account);
    } catch (error) {
      this.#lacksForgetting = true;
      throw error;
    }
  }
}

/** Whether an outcome says that an endpoint was disabled, which only the other endpoints are told. */
export const isAbout = ({ type, body }: Outcome, id: string): boolean =>
  type === 'endpoint.disabled' && (JSON.parse(body) as { endpoint: { id: string } }).endpoint.id === id;

/** How long outcomes about the same thing are held back: not at all where they come in strict order. */
const intervalOf = ({ ordering, minimumInterval }: Endpoint): number =>
  ordering === 'strict' ? 0 : minimumInterval * 1_000;

/** So exactly a success is noted while nothing fails. */
const NOTED_EVERY_MS = 60_000;
