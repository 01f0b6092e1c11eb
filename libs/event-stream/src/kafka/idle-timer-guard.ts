import { createRequire } from 'node:module';

/** What the guard needs of kafkajs's request queue, of which each connection has one. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const GUARDED = new WeakSet<RequestQueue>();

/**
 * Stops a timer of kafkajs 2.2.4 that fires every millisecond on every connection, also an idle one: the check for pending
 * requests schedules itself again when nothing is pending (kafkajs issues 1556, 1604 and 1704). With nothing pending there
 * is nothing to check: a request that cannot be sent at once, because the broker throttles this client or too many are in
 * flight, schedules its own check. Repeated calls change nothing.
 */
export function guardIdleTimer(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
    readonly prototype: RequestQueue;
  };
  if (GUARDED.has(prototype)) return;
  GUARDED.add(prototype);
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0) schedule.call(this);
  };
}
