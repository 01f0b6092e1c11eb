import { formatInstant } from '@laurel/calendar';
import type { RecordedEvent, Subject } from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';
import { jsonAmount, jsonInteger, writeJson, preferencesAnswer } from '@laurel/schemas';
import { EVENT_ATTRIBUTES, encodeEvent, type EventLog, type Json, type UserLog } from '@laurel/event-store';

/** A log, which may be able to read one user's events only. */
export type LogOfUsers = Pick<EventLog, 'read' | 'head'> & Partial<UserLog>;

/** Positions that one statement covers. */
const WINDOW = 10_000;
/** Records in memory at a time, for a log that cannot select users. */
const PAGE = 500;

/** Every record of the user, in order, up to the head of the log at the start. */
export async function* recordsOfUser(
  log: LogOfUsers,
  account: string,
  subject: Subject,
): AsyncGenerator<readonly RecordedEvent[], void> {
  const head = await log.head();
  if (log.readOfUser) {
    for (let after = 0; after < head; after += WINDOW)
      yield await log.readOfUser(account, subject, after, Math.min(after + WINDOW, head));
    return;
  }
  for (let after = 0; after < head;) {
    const records = await log.read(after, PAGE);
    yield records.filter(
      ({ position, fact, account: of }) =>
        position <= head && of === account && 'subject' in fact && fact.subject === subject,
    );
    after = records.at(-1)?.position ?? head;
  }
}

/** A record in a form that its user can read. */
export function recordedEvent({ eventId, occurredAt, recordedAt, fact }: RecordedEvent) {
  const { metric, value, zone, imported, keyHash, data, personal } = encodeEvent(fact);
  const { [EVENT_ATTRIBUTES]: attributes, ...ofUser } = personal ?? {};
  const details: Json = {
    ...(metric !== null && { metric }),
    ...(value !== null && { value }),
    ...(zone !== null && { tz: zone === '' ? null : zone }),
    ...(imported && { imported }),
    ...(keyHash !== null && { keyHash }),
    ...withNamedAttributes({ ...data, ...(attributes !== undefined && { attributes }) }),
    ...(Object.keys(ofUser).length > 0 && { personal: withNamedAttributes(ofUser) }),
  };
  return {
    id: eventId,
    type: fact.type,
    timestamp: formatInstant(occurredAt),
    recordedAt: formatInstant(recordedAt),
    details,
  };
}

/** Attributes are stored as pairs, and their hashes tell their user nothing. */
const withNamedAttributes = ({ attributes, userHashes: _, eventHashes: __, ...rest }: Json): Json => ({
  ...rest,
  ...(attributes !== undefined && { attributes: Object.fromEntries(attributes as [string, unknown][]) }),
});

export const profileAnswer = (id: string, { createdAt, updatedAt, totals: _, ...profile }: UserProfile): Json => ({
  id,
  email: profile.email,
  name: profile.name,
  tz: profile.tz,
  subscribeToEmails: profile.subscribeToEmails,
  attributes: Object.fromEntries(profile.attributes),
  created: formatInstant(createdAt),
  updated: formatInstant(updatedAt),
  deviceTokens: profile.deviceTokens,
  ...preferencesAnswer(profile.notifications),
});

export const totalsAnswer = ({ totals }: UserProfile): Json =>
  Object.fromEntries([...totals].map(([metric, total]) => [metric, jsonAmount(total)]));

/** What the user has earned in each system whose levels follow it; null if there is none. */
export function earnedAnswer(points: ReadonlyMap<string, { readonly earned: bigint | null }>): Json | null {
  const shown = [...points].flatMap(([system, { earned }]) => (earned === null ? [] : [[system, jsonInteger(earned)]]));
  return shown.length === 0 ? null : (Object.fromEntries(shown) as Json);
}

export const pointsAnswer = (points: ReadonlyMap<string, { readonly total: bigint }>): Json =>
  Object.fromEntries([...points].map(([system, { total }]) => [system, jsonInteger(total)]));

/** A JSON array with a row on each line, in one chunk for each page, even an empty one. */
export async function* arrayChunks<Row>(
  pages: AsyncIterable<readonly Row[]>,
  write: (row: Row) => object,
): AsyncGenerator<string, void> {
  let before = '[';
  for await (const page of pages) {
    const rows = page.map((row) => writeJson(write(row))).join(',\n');
    yield rows === '' ? '' : `${before}\n${rows}`;
    if (rows !== '') before = ',';
  }
  yield before === '[' ? '[]' : '\n]';
}
