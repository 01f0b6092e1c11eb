import type { Instant } from '@laurel/calendar';
import type { Outcome } from '@laurel/outgoing';
import type { Endpoint } from '../endpoints/endpoints.ts';
import { coalesced, coalescedAs } from './coalesce.ts';
import type { HeldDelivery } from './delivery.ts';
import type { ChangeEndpoint, DispatcherDependencies } from './dispatcher.ts';

/** Most outcomes that become deliveries in one statement. */
const TAKEN_AT_ONCE = 200;
/** Most unfinished deliveries of an endpoint; further outcomes wait. */
const MOST_UNFINISHED = 10_000;
/** Most deferred requests of an endpoint, each for one user and subject; beyond it, the oldest are sent early. */
export const MOST_HELD = 50_000;

type Dependencies = Pick<DispatcherDependencies, 'outcomes' | 'deliveries' | 'endpoints' | 'clock'>;

/** Returns a function that turns an endpoint's next outcomes into deliveries, and returns whether there were any. */
export const outcomeTaker =
  (dependencies: Dependencies, change: ChangeEndpoint) =>
  async (endpoint: Endpoint, newest: number): Promise<boolean> => {
    const { outcomes, deliveries, endpoints, clock } = dependencies;
    const { account, id, replay, taken } = endpoint;
    const kind = replay === null ? 'new' : 'replay';
    const from = replay?.from ?? taken;
    const until = replay?.to ?? newest;
    if (from >= until || (await deliveries.hasMoreThan(id, MOST_UNFINISHED))) return false;
    const types = replay?.types ?? endpoint.types ?? undefined;
    const strict = endpoint.ordering === 'strict';
    const at = clock.now();
    const interval = replay === null ? intervalOf(endpoint) : 0;
    // Reads inside the change: when the change ends, no outcome read earlier can still become a delivery.
    return change(id, async () => {
      const read = await outcomes.read(account, { after: from, limit: TAKEN_AT_ONCE, types });
      const found = read.filter(({ sequence }) => sequence <= until);
      // After a full page, there may be more. After a short page, there is nothing else up to `until`.
      const isLast = read.length < TAKEN_AT_ONCE || found.length < read.length;
      const to = isLast ? until : (found.at(-1)?.sequence ?? until);
      const addressed = found.filter((outcome) => !isAbout(outcome, id));
      const { plain, held } = await deferred(dependencies, id, addressed, { interval, at });
      const batch = { account, endpoint: id, kind, from, to, isLast, outcomes: plain, held, strict, at } as const;
      if (!(await deliveries.take(batch))) return endpoints.readCursors(endpoint);
      if (replay === null) endpoints.moved(endpoint, { taken: to });
      else endpoints.moved(endpoint, { replay: isLast ? null : { ...replay, from: to } });
      if (held.length > 0) await deliveries.releaseOver(id, MOST_HELD, at);
      return true;
    });
  };

/** Separates outcomes that are deferred, and joins each with the deferred request for its subject. */
async function deferred(
  { deliveries }: Dependencies,
  endpoint: string,
  outcomes: readonly Outcome[],
  { interval, at }: { readonly interval: number; readonly at: Instant },
) {
  const plain: Outcome[] = [];
  const byQueue = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const queue = interval === 0 ? null : coalescedAs(outcome);
    if (queue === null) plain.push(outcome);
    else byQueue.set(queue, [...(byQueue.get(queue) ?? []), outcome]);
  }
  const present = await deliveries.held(endpoint, [...byQueue.keys()]);
  const held = [...byQueue].map(([queue, own]): HeldDelivery => {
    const outcome = own.at(-1) as Outcome;
    const bodies = [present.get(queue) ?? [], own.map(({ body }) => body)].flat();
    const isLastAlone = outcome.type === 'leaderboard.changed';
    const body = isLastAlone ? null : bodies.reduce((first, last) => coalesced(outcome.type, first, last));
    return { lane: queue, outcome, body, until: at + interval };
  });
  return { plain, held };
}

/** Whether an outcome says that this endpoint was disabled; it is sent only to other endpoints. */
export const isAbout = ({ type, body }: Outcome, id: string): boolean =>
  type === 'endpoint.disabled' && (JSON.parse(body) as { endpoint: { id: string } }).endpoint.id === id;

/** How long outcomes about one subject are deferred, in milliseconds; 0 in strict order. */
export const intervalOf = ({ ordering, minimumInterval }: Endpoint): number =>
  ordering === 'strict' ? 0 : minimumInterval * 1_000;
