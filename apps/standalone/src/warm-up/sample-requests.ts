import type { RecordedEvent, MetricEventRecorded } from '@laurel/kernel';
import { jsonAmount, writeJson } from '@laurel/schemas';
import type { EventLog } from '@laurel/event-store';

/** A request to the event route. */
export interface SampleRequest {
  readonly metric: string;
  /** The body as JSON text. */
  readonly body: string;
}

export interface SampleBounds {
  readonly events: number;
  /** Limit of the size of all bodies together. */
  readonly bytes: number;
}

/** Records per read. None is larger than the body of a request, so a page takes a few MiB at most. */
const PAGE = 100;
const BUILT_IN_USERS = 50;

/**
 * The newest events of the log as they were sent: from at most `events` records, as many as fit into `bytes`.
 * @param metrics keys of the configuration in force; events of other metrics are left out
 * @throws the error of the log if it cannot be read
 */
export async function newestRequests(
  log: Pick<EventLog, 'head' | 'read'>,
  metrics: ReadonlySet<string>,
  { events, bytes }: SampleBounds,
): Promise<readonly SampleRequest[]> {
  const head = await log.head();
  const requests: SampleRequest[] = [];
  let left = bytes;
  for (let after = Math.max(0, head - events); after < head && left > 0; after += PAGE) {
    for (const { fact } of await log.read(after, Math.min(PAGE, head - after))) {
      if (fact.type !== 'MetricEventRecorded' || !metrics.has(fact.metric)) continue;
      const body = bodyOf(fact);
      left -= Buffer.byteLength(body);
      if (left < 0) break;
      requests.push({ metric: fact.metric, body });
    }
  }
  return requests;
}

/** Sample requests for a log that contains no events yet. */
export const builtInRequests = (metrics: readonly string[]): readonly SampleRequest[] =>
  metrics.flatMap((metric) =>
    Array.from({ length: BUILT_IN_USERS }, (_, user) => ({
      metric,
      body: writeJson({ user: { id: `user-${user}`, tz: 'UTC' }, value: 1 }),
    })),
  );

type DomainEvent = RecordedEvent<MetricEventRecorded>['fact'];

function bodyOf({ subject, value, user, attributes }: DomainEvent): string {
  const { attributeLimit: _, attributeHashes: __, attributes: ofUser, ...fields } = user;
  return writeJson({
    user: { id: `user-${subject}`, ...fields, ...(ofUser && { attributes: Object.fromEntries(ofUser) }) },
    value: jsonAmount(value),
    attributes: Object.fromEntries(attributes),
  });
}
