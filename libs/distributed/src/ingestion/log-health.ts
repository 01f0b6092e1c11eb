import { EventStoreAccessError, type EventStore } from '@laurel/event-store';
import type { ComponentHealth } from '@laurel/runtime';

/** Whether the log can be read and appended to, and where it ends. @throws Error if it cannot be reached */
export async function logHealth(store: Pick<EventStore, 'checkAccess' | 'head'>): Promise<ComponentHealth> {
  try {
    await store.checkAccess();
  } catch (error) {
    if (error instanceof EventStoreAccessError) return { ok: false, detail: { reason: error.message } };
    throw error;
  }
  return { ok: true, detail: { head: await store.head() } };
}
