import type { Json } from '../http-suite/client.ts';
import type { PatientClient } from './patient-client.ts';

const AGAIN_MS = 100;

export interface PastImport {
  /** Of the request that opens it. */
  readonly options: object;
  readonly users: readonly string[];
  /** From the oldest on; the import ends with them. */
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

/** Publishes the configuration in force with a change; perhaps twice, if the first answer does not come. */
export async function publish(client: PatientClient, change: (document: Json) => void): Promise<void> {
  const { document } = await client.ask('GET', '/admin/v1/configurations/current');
  change(document);
  await client.ask('POST', '/admin/v1/configurations', { document });
}
