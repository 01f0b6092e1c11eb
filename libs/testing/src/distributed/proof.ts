import type { KeyHash, Subject } from '@laurel/kernel';
import type { ServiceStatus, VerificationAnswer } from '@laurel/schemas';
import { clientConfig, type ConnectionOptions } from '@laurel/database';
import { keyHashOf } from '@laurel/event-store';
import pg from 'pg';
import type { AcknowledgedEvent, Load, SentEvent } from './load.ts';
import { eventually, type Topology } from './topology.ts';

const CAUGHT_UP_WITHIN_MS = 120_000;

/** A service with its read models, and the table of its log. */
export interface LoggedService {
  readonly url: string;
  readonly apiKey: string;
  readonly connection: ConnectionOptions;
  /** The table of the log. */
  readonly events: 'events' | 'laurel_ingestion.events';
}

/** @throws Error unless the answer is 200 */
async function get<T>({ url, apiKey }: Pick<LoggedService, 'url' | 'apiKey'>, path: string): Promise<T> {
  const response = await fetch(new URL(path, url), { headers: { 'x-api-key': apiKey } });
  if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Waits until every service has applied the whole log. */
export async function caughtUp(topology: Topology): Promise<ServiceStatus> {
  let status: ServiceStatus | null = null;
  const isCaughtUp = async () => {
    status = await get<ServiceStatus>(topology, '/admin/v1/status');
    const { services = [], areas, head } = status;
    return services.every(({ behind }) => behind === 0) && areas.every(({ position }) => position === head);
  };
  await eventually(topology, 'every service is where the log is', isCaughtUp, CAUGHT_UP_WITHIN_MS, () => status);
  return status as unknown as ServiceStatus;
}

/** Makes a gateway verify the log and the data of the services. Returns the answer after the end. */
export async function verified(topology: Topology, full: boolean): Promise<VerificationAnswer> {
  const begun = await fetch(new URL(`/admin/v1/verifications?full=${full}`, topology.url), {
    method: 'POST',
    headers: { 'x-api-key': topology.apiKey },
  });
  if (begun.status !== 202) throw new Error(`it was answered ${begun.status}: ${await begun.text()}`);
  let verification = (await begun.json()) as VerificationAnswer;
  const hasEnded = async () => {
    verification = await get<VerificationAnswer>(topology, `/admin/v1/verifications/${verification.id}`);
    return verification.state !== 'running';
  };
  await eventually(topology, 'the verification has ended', hasEnded, CAUGHT_UP_WITHIN_MS, () => verification);
  return verification;
}

interface LoggedEvent {
  readonly eventId: string;
  readonly userId: string;
  readonly subject: Subject;
  readonly metric: string;
  readonly keyHash: KeyHash | null;
  readonly value: number;
}

/**
 * How the log and the shown totals differ from the sent and acknowledged events. If everything is empty, nothing was
 * lost or recorded twice.
 */
export interface Differences {
  /** Acknowledged events that are not in the log as they were sent. */
  readonly lost: readonly AcknowledgedEvent[];
  /** Surplus events of the log. Besides acknowledged events, it may contain only unanswered events without a key. */
  readonly surplus: readonly LoggedEvent[];
  /** Wrong totals by user and metric: the sum over the log, and the shown total. */
  readonly totals: readonly string[];
}

export function differencesOf({ url, apiKey, postgres }: Topology, load: Load): Promise<Differences> {
  return differencesIn({ url, apiKey, connection: postgres.connection, events: 'laurel_ingestion.events' }, load);
}

/** @param load must be stopped */
export async function differencesIn(service: LoggedService, load: Load): Promise<Differences> {
  const logged = await readLog(service);
  const byId = new Map(logged.map((event) => [event.eventId, event]));
  const lost = load.acknowledged.filter((event) => {
    const found = byId.get(event.eventId);
    byId.delete(event.eventId);
    return found === undefined || nameOf(found) !== sentName(event, found.subject);
  });
  const subjects = new Map(logged.map(({ userId, subject }) => [userId, subject]));
  const allowed = counted(load.uncertain, subjects);
  const surplus = [...byId.values()].filter((event) => {
    const left = allowed.get(nameOf(event)) ?? 0;
    allowed.set(nameOf(event), left - 1);
    return left <= 0;
  });
  return { lost, surplus, totals: await wrongTotals(service, logged) };
}

type Named = Pick<LoggedEvent, 'userId' | 'metric' | 'value' | 'keyHash'>;

const nameOf = ({ userId, metric, value, keyHash }: Named): string => JSON.stringify([userId, metric, value, keyHash]);

/** The name of a sent event, as {@link nameOf} gives it for the log. */
function sentName({ key, ...event }: SentEvent, subject: Subject): string {
  const { metric } = event;
  return nameOf({ ...event, keyHash: key === null ? null : keyHashOf({ account: 'default', subject, metric, key }) });
}

/** The users with events in the log. */
function counted(events: readonly SentEvent[], subjects: ReadonlyMap<string, Subject>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) {
    const subject = subjects.get(event.userId);
    if (subject === undefined) continue;
    const name = sentName(event, subject);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

async function readLog({ connection, events }: LoggedService): Promise<readonly LoggedEvent[]> {
  const sql = new pg.Client(clientConfig(connection));
  await sql.connect();
  try {
    const { rows } = await sql.query<LoggedEvent>(
      `select event_id::text as "eventId", user_id as "userId", subject::float8 as subject, metric, key_hash::text as "keyHash",
         value::float8 as value
       from ${events} join ${directoryOf(events)} using (account, subject) where metric is not null`,
    );
    return rows;
  } finally {
    await sql.end();
  }
}

/** The table of the directory, in the schema of the log. */
export const directoryOf = (events: LoggedService['events']): string => events.replace(/events$/, 'subjects');

async function wrongTotals(service: LoggedService, logged: readonly LoggedEvent[]): Promise<readonly string[]> {
  const sums = new Map<string, number>();
  for (const { userId, metric, value } of logged) {
    const path = `/v1/users/${userId}/metrics/${metric}`;
    sums.set(path, (sums.get(path) ?? 0) + value);
  }
  const wrong = [];
  for (const [path, sum] of sums) {
    const { current } = await get<{ current: number }>(service, path);
    if (current !== sum) wrong.push(`${path}: ${sum} in the log, ${current} shown`);
  }
  return wrong;
}
