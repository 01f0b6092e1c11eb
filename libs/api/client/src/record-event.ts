import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EventAnswer, MetricEventRequest } from './generated/laurel-api.ts';
import type { LaurelClient } from './laurel-client.ts';
import { LaurelError, orThrow } from './laurel-error.ts';

/** The body of the request, without fields that the options set or that only an import may have. */
export type MetricEvent = Omit<MetricEventRequest, 'idempotencyKey' | 'timestamp'>;

export interface RecordEventOptions {
  /**
   * Identifies the event for this user and metric: used again, it counts once. Default: a random key, which makes the
   * retries of this call safe. Choose one yourself (an order number, a lesson) if the call itself may be repeated.
   */
  readonly idempotencyKey?: string;
  /** How often a request that was turned away or not answered is sent again. Default: 5. */
  readonly retries?: number;
  /**
   * How long to wait for areas that the answer names in `pending`, in milliseconds. Default: 0. Their fields then show
   * the present state, without the changes of the event itself (awards, completed achievements).
   */
  readonly waitForPendingMs?: number;
  /** Ends the waiting; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

const RETRIES = 5;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const PENDING_PAUSE_MS = 100;

/**
 * Records a metric event and answers everything that it caused.
 *
 * ```ts
 * const { total, currentStreak, points } = await recordEvent(laurel, 'lessons', {
 *   user: { id: 'ada', tz: 'Europe/Berlin' },
 *   value: 1,
 * });
 * ```
 *
 * A request that was turned away (408, 429, 5xx) or not answered is sent again with the same idempotency key, after the time that
 * the service asks for in `Retry-After`, so the event counts once.
 *
 * @throws LaurelError for any other refusal, and when the retries are used up: with `outcome_unknown`, `unreachable` or `timed_out`
 *   the event may have been recorded.
 */
export async function recordEvent(
  laurel: LaurelClient,
  metric: string,
  event: MetricEvent,
  options: RecordEventOptions = {},
): Promise<EventAnswer> {
  const { idempotencyKey = randomUUID(), retries = RETRIES, waitForPendingMs = 0, signal } = options;
  const send = (): Promise<EventAnswer> =>
    sendUntilAnswered(laurel, { metric, event, idempotencyKey, retries, signal });
  const first = await send();
  let latest = first;
  const deadlineMs = performance.now() + waitForPendingMs;
  while (isPending(latest) && performance.now() < deadlineMs) {
    await wait(PENDING_PAUSE_MS, undefined, { signal });
    latest = await send();
  }
  return latest === first ? first : completed(first, latest);
}

interface Sending {
  readonly metric: string;
  readonly event: MetricEvent;
  readonly idempotencyKey: string;
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
}

async function sendUntilAnswered(
  laurel: LaurelClient,
  { metric, event, idempotencyKey, retries, signal }: Sending,
): Promise<EventAnswer> {
  const params = { path: { key: metric }, header: { 'Idempotency-Key': idempotencyKey } };
  for (let attempt = 0; ; attempt++) {
    try {
      return await orThrow(laurel.POST('/v1/metrics/{key}/event', { params, body: event, ...(signal && { signal }) }));
    } catch (error) {
      if (attempt >= retries || !(error instanceof LaurelError) || !isWorthRepeating(error)) throw error;
      await wait(pauseMs(error, attempt), undefined, { signal });
    }
  }
}

/** Whether there was no answer, or one that asks for a retry. */
const isWorthRepeating = ({ status }: LaurelError): boolean =>
  status === null || status === 408 || status === 429 || status >= 500;

const pauseMs = ({ retryAfterMs }: LaurelError, attempt: number): number =>
  Math.min(retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);

const isPending = ({ pending }: EventAnswer): boolean => (pending?.length ?? 0) > 0;

/** The effects of the event from the first answer. Parts that were pending in it show the present state. */
function completed(first: EventAnswer, latest: EventAnswer): EventAnswer {
  const was = new Set<string>(first.pending);
  const answer = {
    ...first,
    ...(was.has('users') && { total: latest.total }),
    ...(was.has('streaks') && { currentStreak: latest.currentStreak }),
    ...(was.has('points') && { points: latest.points }),
    ...(was.has('leaderboards') && { leaderboards: latest.leaderboards }),
  };
  delete answer.pending;
  return isPending(latest) ? { ...answer, pending: latest.pending } : answer;
}
