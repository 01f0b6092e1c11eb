import { formatInstant, type Instant } from '@laurel/calendar';
import type { RecordedEvent, MetricEventRecorded, Subject } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import { jsonAmount, type ExportedEvent } from '@laurel/schemas';
import type { EventLog } from '@laurel/event-store';
import type { InstantRange } from '@laurel/points';

/** Records of the log in memory at a time. */
const PAGE = 500;
/**
 * Limit of the difference between the clocks of processes that append to one log; the search for the start begins this
 * much earlier.
 */
const CLOCKS_DIFFER_MS = 3_600_000;
const NO_IDS: ReadonlyMap<Subject, string> = new Map();

export interface EventModels {
  readonly log: Pick<EventLog, 'read' | 'head'>;
  readonly directory: Pick<Directory, 'idsOf'>;
}

/**
 * The metric events of a range, in the order of recording, up to the head of the log at the start. A binary search finds where the first
 * event of the range can be; the log is read from there to its end, because an import may bring events of any instant. Each read of the
 * log yields a page, even an empty one, so that the caller can stop between pages.
 */
export async function* exportedEvents(
  { log, directory }: EventModels,
  account: string,
  { from, to }: InstantRange,
): AsyncGenerator<readonly ExportedEvent[], void> {
  const isIn = ({ occurredAt }: RecordedEvent): boolean =>
    (from === null || occurredAt >= from) && (to === null || occurredAt < to);
  const head = await log.head();
  const begin = from === null ? 0 : await lastBefore(log, from - CLOCKS_DIFFER_MS, head);
  for (let after = begin; after < head;) {
    const records = await log.read(after, PAGE);
    const last = records.at(-1);
    if (last === undefined) return;
    after = last.position;
    const events = records.filter(
      (record): record is RecordedEvent<MetricEventRecorded> =>
        record.fact.type === 'MetricEventRecorded' &&
        record.account === account &&
        record.position <= head &&
        isIn(record),
    );
    const subjects = new Set(events.map(({ fact }) => fact.subject));
    const ids = events.length === 0 ? NO_IDS : await directory.idsOf(account, [...subjects]);
    yield events.map((event) => exported(event, ids.get(event.fact.subject) ?? null));
  }
}

const exported = (record: RecordedEvent<MetricEventRecorded>, userId: string | null): ExportedEvent => ({
  id: record.eventId,
  timestamp: formatInstant(record.occurredAt),
  recordedAt: formatInstant(record.recordedAt),
  userId,
  metric: record.fact.metric,
  value: jsonAmount(record.fact.value),
  attributes: Object.fromEntries(record.fact.attributes),
  imported: record.fact.imported,
  configurationVersion: record.configurationVersion,
});

/** The position of the last record before the instant, by binary search; 0 if there is none. */
async function lastBefore(log: Pick<EventLog, 'read'>, at: Instant, head: number): Promise<number> {
  let before = 0;
  for (let end = head; before < end;) {
    const middle = before + Math.floor((end - before) / 2);
    const [next] = await log.read(middle, 1);
    if (next !== undefined && next.recordedAt < at) before = next.position;
    else end = middle;
  }
  return before;
}
