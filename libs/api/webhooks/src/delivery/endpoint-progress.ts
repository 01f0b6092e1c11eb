import type { Instant } from '@laurel/calendar';
import type { Outcomes } from '@laurel/outgoing';
import type { Endpoint } from '../endpoints/endpoints.ts';
import type { Deliveries } from './deliveries.ts';
import type { DeliveryProgress } from './delivery.ts';
import { isAbout } from './take-outcomes.ts';

/** Reads the progress of endpoints. A change does not wait behind lists. */
export interface ProgressSource {
  readonly deliveries: Pick<Deliveries, 'progress'>;
  readonly outcomes: Pick<Outcomes, 'read'>;
}

export const NO_PROGRESS: DeliveryProgress = { unfinished: 0, heldBack: 0, abandoned: 0, oldestAt: null };

/**
 * The number of waiting outcomes that are read to find the oldest. The first ones may be about the disabled endpoint
 * itself, and do not count.
 */
const READ_OF_WAITING = 5;

/** The progress of each endpoint. For a disabled endpoint, outcomes wait without being deliveries. */
export async function progressOf(
  endpoints: readonly Endpoint[],
  { deliveries, outcomes }: ProgressSource,
): Promise<ReadonlyMap<string, DeliveryProgress>> {
  const all = new Map(await deliveries.progress(endpoints.map(({ id }) => id)));
  // One after the other, because only a few statements for lists may wait at a time.
  for (const endpoint of endpoints) {
    if (endpoint.disabledBecause === null) continue;
    const progress = all.get(endpoint.id) ?? NO_PROGRESS;
    const waits = [progress.oldestAt, await waitingSince(endpoint, outcomes)].filter((at) => at !== null);
    all.set(endpoint.id, { ...progress, oldestAt: waits.length === 0 ? null : Math.min(...waits) });
  }
  return all;
}

/** When the first outcome happened that waits for an endpoint, or null if none waits. */
async function waitingSince(
  { account, id, taken, types }: Endpoint,
  outcomes: ProgressSource['outcomes'],
): Promise<Instant | null> {
  const range = { after: taken, limit: READ_OF_WAITING, ...(types !== null && { types }) };
  const waiting = await outcomes.read(account, range);
  return waiting.find((outcome) => !isAbout(outcome, id))?.timestamp ?? null;
}
