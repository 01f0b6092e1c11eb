import { createRequire } from 'node:module';
import type { CancelTimer, Clock } from '@laurel/ports';

/** The used members of kafkajs's request queue; each connection has one. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, RequestUnderWay>;
  readonly enforceRequestTimeout: boolean;
  readonly isConnected: () => boolean;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

interface RequestUnderWay {
  readonly sentAt: number;
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

const GUARDED = new WeakSet<RequestQueue>();
/** The interval of checks for timed out requests; kafkajs checks every 100 ms. */
const LOOK_FOR_TIMEOUTS_MS = 1_000;

/**
 * Lets idle connections of kafkajs 2.2.4 sleep. Calls after the first change nothing.
 *
 * - The check for pending requests schedules itself again every millisecond when nothing is pending (kafkajs issues 1556, 1604 and
 *   1704). With nothing pending there is nothing to check: a request that cannot be sent at once, because the broker throttles this
 *   client or too many are in flight, schedules its own check.
 * - The check for timed out requests runs once a second.
 *
 * @param clock the system clock, which kafkajs uses
 */
export function guardIdleTimers(clock: Clock): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
    readonly prototype: RequestQueue;
  };
  if (GUARDED.has(prototype)) return;
  GUARDED.add(prototype);
  const { scheduleCheckPendingRequests, destroy } = prototype;
  const looks = new WeakMap<RequestQueue, CancelTimer>();
  const lookForTimeouts = (queue: RequestQueue): void => {
    const cancel = clock.after(LOOK_FOR_TIMEOUTS_MS, () => {
      endTimedOut(queue, clock.now());
      if (queue.isConnected()) lookForTimeouts(queue);
      else queue.destroy();
    });
    looks.set(queue, cancel);
  };
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function (this: RequestQueue): void {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    lookForTimeouts(this);
  };
  prototype.destroy = function (this: RequestQueue): void {
    looks.get(this)?.();
    destroy.call(this);
  };
}

function endTimedOut({ inflight }: RequestQueue, now: number): void {
  for (const request of inflight.values()) if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
}
