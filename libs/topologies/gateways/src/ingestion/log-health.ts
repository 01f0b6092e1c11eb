import type { Clock } from '@laurel/ports';
import type { ServiceStatus } from '@laurel/schemas';
import { EventStoreAccessError, type EventStore } from '@laurel/event-store';
import type { ComponentHealth } from '@laurel/runtime';

/** The first look for the end of the log takes longer on a server that holds much else: no reason not to be ready. */
const HEAD_LIMIT_MS = 1_000;

/**
 * Whether the log can be read and appended to, and where it ends (null: not found in time). A log that can be read may take
 * nothing all the same, such as on a full disk: how appends fare counts too.
 * @throws Error if it cannot be reached
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
  return { ok: state === 'open', detail: { queue: state, lane: state, head: await inTime(store.head(), clock) } };
}

function inTime<T>(found: Promise<T>, clock: Clock): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(HEAD_LIMIT_MS, () => resolve(null));
    found.then(resolve, reject).finally(cancel);
  });
}
