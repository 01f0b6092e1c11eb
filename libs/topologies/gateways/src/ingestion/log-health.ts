import type { Clock } from '@laurel/ports';
import type { ServiceStatus } from '@laurel/schemas';
import { EventStoreAccessError, type EventStore } from '@laurel/event-store';
import { inTime } from '@laurel/processes';
import type { ComponentHealth } from '@laurel/runtime';

/**
 * The first search for the head may take longer, on a server with many other streams; the gateway is ready
 * nevertheless.
 */
const HEAD_LIMIT_MS = 1_000;

/**
 * Whether the log can be read and appended to, with its head (null if not found in time). A readable log may still refuse appends, such as on
 * a full disk, so the state of appends counts too.
 * @throws Error if the log cannot be reached
 */
export async function logHealth(
  store: Pick<EventStore, 'checkAccess' | 'head'>,
  { state }: ServiceStatus['lane'],
  clock: Clock,
): Promise<ComponentHealth> {
  try {
    await store.checkAccess();
  } catch (error) {
    if (error instanceof EventStoreAccessError) return { ok: false, detail: { reason: error.message } };
    throw error;
  }
  return {
    ok: state === 'open',
    detail: { queue: state, lane: state, head: await inTime(clock, HEAD_LIMIT_MS, store.head()) },
  };
}
