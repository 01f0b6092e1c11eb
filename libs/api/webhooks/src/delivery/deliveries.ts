import { formatInstant, type Instant } from '@laurel/calendar';
import type { SqlReader } from '@laurel/kernel';
import type { DeliveryState, WebhookDeliveryAnswer } from '@laurel/schemas';
import { deliveryAnswer, type StoredDelivery } from '@laurel/outgoing';
import type { DeliveryProgress, DueDelivery, FinishedAttempt, HeldDelivery, Taken } from './delivery.ts';
import {
  CLEAN,
  DROP,
  DUE,
  FINISH,
  FORGET,
  FORGET_OTHERS,
  HASTEN,
  HAS_MORE,
  HELD,
  LAST_LOOKED_AT,
  LIST,
  LOOKED_AT,
  NEXT_DUE,
  OLDEST_NEEDED,
  OVER,
  PROGRESS,
  RELEASE,
  RESEND,
  RESUME,
  TAKE_NEW,
  TAKE_REPLAY,
  namesErased,
  ofErased,
} from './delivery-sql.ts';

/** How long, and how many, finished deliveries of each endpoint are kept. */
const KEPT = [
  ['delivered', { ms: 7 * 86_400_000, rows: 10_000 }],
  ['abandoned', { ms: 30 * 86_400_000, rows: 10_000 }],
] as const;
/** Counting stops here, because nobody needs an exact larger number. */
const COUNTED = 1_000;
/** Most deliveries released by one statement. */
const RELEASED_AT_ONCE = 200;
/** Most deliveries that one statement examines, in a fraction of its timeout. */
const LOOKED_AT_A_TIME = 10_000;

/**
 * The table `webhook_deliveries`: deliveries on their way to an endpoint, and finished ones. Each lane of an endpoint sends one delivery at
 * a time. Callers must serialize changes of one endpoint.
 */
export class Deliveries {
  readonly #sql: SqlReader;
  readonly #subjects: string;

  /** @param subjects the table of the directory, schema-qualified if necessary */
  constructor(sql: SqlReader, subjects = 'subjects') {
    this.#sql = sql;
    this.#subjects = subjects;
  }

  /**
   * Turns outcomes into deliveries and moves the endpoint's cursor, or does neither. @returns whether the cursor was at
   * `from`
   */
  async take({ account, endpoint, kind, from, to, isLast, outcomes, held, strict, at }: Taken): Promise<boolean> {
    const queues = new Set<string>();
    const rows = outcomes.map(({ sequence, id, type, userKey, otherKeys, timestamp }) => {
      const queue = strict ? '' : (userKey ?? '');
      const first = !queues.has(queue);
      queues.add(queue);
      return {
        sequence,
        outcome: id,
        type,
        user_key: userKey,
        others: stored(otherKeys),
        outcome_at: formatInstant(timestamp),
        lane: queue,
        first,
      };
    });
    const [moved] = await this.#sql.query<{ moved: string }>(kind === 'new' ? TAKE_NEW : TAKE_REPLAY, [
      account,
      endpoint,
      from,
      isLast && kind === 'replay' ? null : to,
      JSON.stringify(rows),
      formatInstant(at),
      kind === 'replay',
      JSON.stringify(held.map(heldRow)),
    ]);
    return moved?.moved === '1';
  }

  /** The bodies of deferred requests by lane, for these lanes; null for the body of the outcome itself. */
  async held(endpoint: string, queues: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    if (queues.length === 0) return new Map();
    const rows = await this.#sql.query<{ lane: string; body: string | null }>(
      'select lane, body from webhook_deliveries where endpoint = $1 and lane = any($2::text[]) and finished_at is null',
      [endpoint, queues],
    );
    return new Map(rows.map(({ lane: queue, body }) => [queue, body]));
  }

  /**
   * Queues deferred requests whose time has come, after other requests of their lane. @param all also queues requests
   * whose time has not come
   */
  async release(endpoint: string, at: Instant, strict: boolean, all: boolean): Promise<void> {
    await this.#releaseUntil(endpoint, all ? 'infinity' : formatInstant(at), at, strict);
  }

  async #releaseUntil(endpoint: string, until: string, at: Instant, strict: boolean): Promise<void> {
    const some = () => this.#sql.query(RELEASE, [endpoint, until, formatInstant(at), strict, RELEASED_AT_ONCE]);
    while ((await some()).length === RELEASED_AT_ONCE);
  }

  /** Releases the oldest deferred requests of an endpoint early, so that at most `most` are deferred. */
  async releaseOver(endpoint: string, most: number, at: Instant): Promise<void> {
    const [over] = await this.#sql.query<{ next_at: Date }>(OVER, [endpoint, most]);
    if (over !== undefined) await this.#releaseUntil(endpoint, formatInstant(over.next_at.getTime()), at, false);
  }

  /** Due deliveries except those with these ids, longest waiting first. */
  async due(endpoint: string, at: Instant, except: readonly string[], limit: number): Promise<readonly DueDelivery[]> {
    const rows = await this.#sql.query<Row>(DUE, [endpoint, formatInstant(at), except, limit]);
    return rows.map(({ id, sequence, outcome, attempts, replay, user_key: userKey, others: otherKeys, body }) => ({
      id,
      sequence: Number(sequence),
      outcome,
      attempts,
      replay,
      userKey,
      otherKeys,
      body,
    }));
  }

  /** When the next delivery after this instant is due, or null if none is. */
  async nextDueAt(endpoint: string, after: Instant): Promise<Instant | null> {
    const [row] = await this.#sql.query<{ next_at: Date | null }>(NEXT_DUE, [endpoint, formatInstant(after)]);
    return row?.next_at?.getTime() ?? null;
  }

  /**
   * Stores the result of an attempt. When a delivery is finished, the next one of its lane becomes due. An abandoned
   * delivery keeps its body, so that it can be sent again after its outcome is deleted. The receiver's answer is not
   * stored if a user whom the delivery names was erased meanwhile.
   */
  async finish(endpoint: string, due: DueDelivery, body: string, finished: FinishedAttempt): Promise<void> {
    const { id, userKey, otherKeys } = due;
    const { state, at, nextAt, status, tookMs, response, error } = finished;
    await this.#sql.query(FINISH, [
      endpoint,
      id,
      state,
      nextAt === null ? null : formatInstant(nextAt),
      status,
      tookMs,
      response,
      error,
      state === 'failed' ? null : formatInstant(at),
      formatInstant(at),
      userKey,
      otherKeys,
      state === 'abandoned' ? body : null,
    ]);
  }

  /** Deletes a delivery whose outcome is deleted. */
  async drop(endpoint: string, id: string, at: Instant): Promise<void> {
    await this.#sql.query(DROP, [endpoint, id, formatInstant(at)]);
  }

  /** The outcome and the body of a delivery, or null if there is none with this id. */
  async find(endpoint: string, id: string): Promise<Pick<DueDelivery, 'sequence' | 'outcome' | 'body'> | null> {
    const row = await this.#row(endpoint, id);
    return row && { sequence: Number(row.sequence), outcome: row.outcome, body: row.body };
  }

  /** Sends a delivery again, with as many attempts as a new one. @returns null if there is none with this id */
  async resend(endpoint: string, id: string, at: Instant): Promise<WebhookDeliveryAnswer | null> {
    if (!isDeliveryId(id)) return null;
    await this.#sql.query(RESEND, [endpoint, id, formatInstant(at)]);
    const row = await this.#row(endpoint, id);
    return row && deliveryAnswer(row);
  }

  /** Makes failed deliveries due at once. */
  async hasten(endpoint: string, at: Instant): Promise<void> {
    await this.#sql.query(HASTEN, [endpoint, formatInstant(at)]);
  }

  /** Newest first, only those before the id `before`. */
  async list(
    endpoint: string,
    state: DeliveryState | null,
    before: string | null,
    limit: number,
  ): Promise<readonly WebhookDeliveryAnswer[]> {
    const states = state === null ? STATES : [state];
    return (await this.#sql.query<Row>(LIST, [endpoint, states, before ?? LARGEST_ID, limit])).map(deliveryAnswer);
  }

  /** The progress of each of these endpoints, in one statement. */
  async progress(endpoints: readonly string[]): Promise<ReadonlyMap<string, DeliveryProgress>> {
    if (endpoints.length === 0) return new Map();
    const rows = await this.#sql.query<ProgressRow>(PROGRESS, [endpoints, COUNTED]);
    return new Map(rows.map((row) => [row.endpoint, progressOf(row)]));
  }

  /** Whether more than `most` deliveries are unfinished. Deferred ones do not count. */
  async hasMoreThan(endpoint: string, most: number): Promise<boolean> {
    const [row] = await this.#sql.query<{ more: boolean }>(HAS_MORE, [endpoint, most]);
    return row?.more ?? false;
  }

  /** The smallest sequence, not below `from`, that an unfinished delivery of the account still needs, or null. */
  async oldestNeeded(account: string, from: number): Promise<number | null> {
    const [row] = await this.#sql.query<{ sequence: string | null }>(OLDEST_NEEDED, [account, from]);
    return row === undefined || row.sequence === null ? null : Number(row.sequence);
  }

  /**
   * Makes the first delivery due in lanes in which all wait. A statement that was believed lost may have queued one
   * behind another that had already finished.
   */
  async resume(endpoint: string, at: Instant): Promise<void> {
    await this.#sql.query(RESUME, [endpoint, formatInstant(at)]);
  }

  /** Deletes finished deliveries beyond the kept time and number. */
  async clean(endpoint: string, now: Instant): Promise<void> {
    for (const [state, { ms, rows }] of KEPT)
      await this.#sql.query(CLEAN, [endpoint, state, formatInstant(now - ms), rows]);
  }

  async #row(endpoint: string, id: string): Promise<Row | null> {
    if (!isDeliveryId(id)) return null;
    const statement = 'select * from webhook_deliveries where endpoint = $1 and id = $2';
    const [row] = await this.#sql.query<Row>(statement, [endpoint, id]);
    return row ?? null;
  }

  /** Deletes everything about a user. */
  async forgetUser(account: string, userKey: string): Promise<void> {
    const held = `delete from webhook_deliveries where ${HELD} and account = $1 and user_key = $2`;
    await this.#sql.query(held, [account, userKey]);
    await this.#sql.query(`${FORGET} where account = $1 and user_key = $2`, [account, userKey]);
    await this.#sql.query(`${FORGET_OTHERS} where account = $1 and others @> array[$2::text]`, [account, userKey]);
  }

  /** Deletes everything about users who are no longer in the directory, 10,000 deliveries at a time. */
  async forgetErased(account: string): Promise<void> {
    for (let after = '0'; ;) {
      const [looked] = await this.#sql.query<{ last: string | null }>(LAST_LOOKED_AT, [after, LOOKED_AT_A_TIME]);
      const last = looked?.last ?? null;
      if (last === null) return;
      const some = [account, after, last];
      const isOfErased = `${LOOKED_AT} and ${ofErased(this.#subjects)}`;
      await this.#sql.query(`delete from webhook_deliveries where ${HELD} and ${isOfErased}`, some);
      await this.#sql.query(`${FORGET} where ${isOfErased}`, some);
      await this.#sql.query(`${FORGET_OTHERS} where ${LOOKED_AT} and ${namesErased(this.#subjects)}`, some);
      after = last;
    }
  }
}

export const isDeliveryId = (text: string): boolean => /^[1-9]\d{0,17}$/.test(text);

const LARGEST_ID = '9223372036854775807';
const STATES: readonly DeliveryState[] = ['waiting', 'pending', 'failed', 'delivered', 'abandoned'];

interface Row extends StoredDelivery {
  readonly user_key: string | null;
  readonly others: readonly string[] | null;
  readonly body: string | null;
}

interface ProgressRow {
  readonly endpoint: string;
  readonly unfinished: string;
  readonly held_back: string;
  readonly abandoned: string;
  readonly oldest_at: Date | null;
}

const progressOf = ({ unfinished, held_back, abandoned, oldest_at }: ProgressRow): DeliveryProgress => ({
  unfinished: Number(unfinished),
  heldBack: Number(held_back),
  abandoned: Number(abandoned),
  oldestAt: oldest_at?.getTime() ?? null,
});

/** Most outcomes name no other user; null keeps them out of the index. */
const stored = (otherKeys: readonly string[]): readonly string[] | null => (otherKeys.length === 0 ? null : otherKeys);

const heldRow = ({ lane: queue, outcome, body, until }: HeldDelivery) => ({
  lane: queue,
  sequence: outcome.sequence,
  outcome: outcome.id,
  type: outcome.type,
  user_key: outcome.userKey,
  body,
  others: stored(outcome.otherKeys),
  outcome_at: formatInstant(outcome.timestamp),
  next_at: formatInstant(until),
});
