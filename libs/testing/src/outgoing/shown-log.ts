import type { AuditEntry, LoggedEvent, TimelineEvent } from '@laurel/schemas';
import type { PatientClient } from './patient-client.ts';
import type { ShownLog } from './recount.ts';

/** The range of the export. */
const [DAYS_BEFORE, DAYS_AFTER] = [300, 30];
const DAY_MS = 86_400_000;

export type Timelines = ReadonlyMap<string, readonly TimelineEvent[]>;

/**
 * @param at the service's present time @param erased users who are no longer known, with their data shown just before
 */
export async function shownLog(
  client: PatientClient,
  users: Iterable<string>,
  at: string,
  erased: Timelines = new Map(),
): Promise<ShownLog> {
  const timelines = new Map(erased);
  for (const user of users) timelines.set(user, await timelineOf(client, user));
  const [from, to] = [-DAYS_BEFORE, DAYS_AFTER].map((days) =>
    new Date(Date.parse(at) + days * DAY_MS).toISOString().slice(0, 10),
  );
  const events = await client.ask('GET', `/admin/v1/export/events?from=${from}&to=${to}`);
  return { timelines, events, audit: await wholeAudit(client), log: await wholeLog(client), at };
}

/** A user's events, oldest first. */
export async function timelineOf(client: PatientClient, user: string): Promise<readonly TimelineEvent[]> {
  const events: TimelineEvent[] = [];
  for (let next: string | null = ''; next !== null;) {
    const path = `/admin/v1/users/${encodeURIComponent(user)}/events?limit=50${next && `&cursor=${next}`}`;
    const page = await client.ask('GET', path);
    events.push(...page.events);
    next = page.next;
  }
  return events.reverse();
}

async function wholeAudit(client: PatientClient): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let next: string | null = ''; next !== null;) {
    const page = await client.ask('GET', `/admin/v1/audit?limit=100${next && `&cursor=${next}`}`);
    entries.push(...page.entries);
    next = page.next;
  }
  return entries.reverse();
}

async function wholeLog(client: PatientClient): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let [after, next]: (string | null)[] = [null, '']; next !== after;) {
    after = next ?? '';
    const path = `/admin/v1/events?limit=1000${after === '' ? '' : `&after=${after}`}`;
    const { json, headers } = await client.answer('GET', path);
    events.push(...json);
    next = headers.get('laurel-cursor');
  }
  return events;
}
