import type { TimelineEvent } from '@laurel/schemas';
import type { Json } from '../http-suite/client.ts';
import type { PatientClient } from './patient-client.ts';
import { timelineOf } from './shown-log.ts';

const AGAIN_MS = 100;

export interface PastImport {
  /** Options of the request that opens the import. */
  readonly options: object;
  readonly users: readonly string[];
  /** Instants, oldest first; the import ends after the last one. */
  readonly instants: Iterable<string> | AsyncIterable<string>;
  readonly value: () => number;
}

/** Imports a lesson and words of each user at each instant. */
export async function importPast(client: PatientClient, { options, users, instants, value }: PastImport) {
  await client.ask('POST', '/admin/v1/imports', options);
  for await (const timestamp of instants)
    for (const id of users) {
      const events = ['lessons', 'words'].map((metric) => ({
        ...{ metric, user: { id }, value: value(), timestamp },
        idempotencyKey: `${id} ${metric} ${timestamp}`,
      }));
      while (!(await areRecorded(client, events))) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  await client.ask('POST', '/admin/v1/imports/finish', {});
}

async function areRecorded(client: PatientClient, events: readonly object[]): Promise<boolean> {
  const { results } = await client.ask('POST', '/admin/v1/metrics/events', { events });
  return results.every(({ status }: Json) => status < 300);
}

/** Publishes a changed configuration; perhaps twice, if the first answer does not arrive. */
export async function publish(client: PatientClient, change: (document: Json) => void): Promise<void> {
  const { document } = await client.ask('GET', '/admin/v1/configurations/current');
  change(document);
  await client.ask('POST', '/admin/v1/configurations', { document });
}

export interface RequestedCorrection {
  readonly user: string;
  /** The metrics of the events that are corrected. */
  readonly metrics: readonly string[];
  /** Corrects only events since this instant, except the first of them. */
  readonly since: string;
}

/** Once the user has enough events, retracts the last one, and increases the value of the one before it. */
export async function correctLatest(
  client: PatientClient,
  { user, metrics, since }: RequestedCorrection,
): Promise<void> {
  let own: readonly TimelineEvent[] = [];
  while (own.length < LEFT_AND_CORRECTED) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    own = (await timelineOf(client, user)).filter(
      ({ metric, occurredAt }) => metric !== undefined && metrics.includes(metric) && occurredAt >= since,
    );
  }
  const [amended, retracted] = own.slice(-2) as [TimelineEvent, TimelineEvent];
  const corrections = [
    { eventId: retracted.id, retract: true },
    { eventId: amended.id, value: Number(amended.value) + 1 },
  ];
  const { id: preview } = await client.ask('POST', '/admin/v1/corrections/previews', { corrections });
  const request = { corrections, preview, reason: 'they were counted wrongly' };
  await client.ask('POST', '/admin/v1/corrections', request, { headers: { 'idempotency-key': retracted.id } });
}

const LEFT_AND_CORRECTED = 4;

/** Erases a user. If the user is unknown at a retry, the erasure happened although its answer was lost. */
export async function erase(client: PatientClient, user: string): Promise<void> {
  const path = `/admin/v1/users/${encodeURIComponent(user)}`;
  const { previewId } = await client.ask('DELETE', `${path}?preview=true`);
  await client.ask('DELETE', `${path}?previewId=${previewId}&reason=asked`, undefined, { orStatus: 404 });
}
