import { type RecordedEvent, type SqlReader, type Subject, type RecordedUserEvent, sweepOf } from '@laurel/kernel';
import type { EventLookup } from '@laurel/event-store';
import type { UserRef } from './document.ts';
import { amendedInstants, type CorrectionRecord } from './event-changes.ts';
import { turnOfTheLoop } from './turn-of-the-loop.ts';

/** Positions of the user's events after `after`, ascending, at most `limit`. */
export type UserPositions = (subject: Subject, after: number, limit: number) => Promise<readonly number[]>;

/**
 * The recorded events of one user: events that name the user, and sweeps that settled the user. The table `effects` has
 * a row for each user and event and so gives the positions; the log, in whatever store, gives the events.
 */
export class UserEvents {
  readonly #positions: UserPositions;
  readonly #log: Pick<EventLookup, 'readAt' | 'correctionsOf'>;

  constructor(positions: UserPositions, log: Pick<EventLookup, 'readAt' | 'correctionsOf'>) {
    this.#positions = positions;
    this.#log = log;
  }

  /**
   * The events after position `after`, in order, at most `limit`. Fewer means that there are no more at present. Always
   * two reads, whatever the limit.
   */
  async read({ subject }: UserRef, after: number, limit: number): Promise<readonly RecordedUserEvent[]> {
    const positions = await this.#positions(subject, after, limit);
    const records = positions.length === 0 ? [] : await this.#log.readAt(positions);
    return records.map((record) => recordedUserEventOf(record, subject));
  }

  /** The corrections of these users, in the order of the log. */
  correctionsOf(subjects: readonly Subject[]): Promise<readonly CorrectionRecord[]> {
    return this.#log.correctionsOf(subjects);
  }

  /** The user's events whose instants these corrections name, in the order of the log. */
  amendedBy(
    { subject }: UserRef,
    corrections: readonly Pick<CorrectionRecord, 'fact'>[],
  ): Promise<readonly RecordedUserEvent[]> {
    return amendedEvents(this.#log, subject, corrections);
  }

  /** Whether the user has more than `count` events. Reads at most `count + 1` index entries. */
  async areMoreThan({ subject }: UserRef, count: number): Promise<boolean> {
    return (await this.#positions(subject, 0, count + 1)).length > count;
  }
}

/** Implements `UserEvents.amendedBy`. */
export async function amendedEvents(
  log: Pick<EventLookup, 'readAt'>,
  subject: Subject,
  corrections: readonly Pick<CorrectionRecord, 'fact'>[],
): Promise<readonly RecordedUserEvent[]> {
  const positions = amendedInstants(corrections);
  const amended: RecordedUserEvent[] = [];
  for (let first = 0; first < positions.length; first += PAGE)
    for (const record of await log.readAt(positions.slice(first, first + PAGE)))
      if ('subject' in record.fact && record.fact.subject === subject)
        amended.push(recordedUserEventOf(record, subject));
  return amended;
}

/** Events read and kept in memory at a time. */
const PAGE = 500;
/** Number of events and effects applied before other work of the process (answers, the writer) gets its turn. */
const WORK_PER_TURN = 64;

/**
 * Hands over the user's events after one position and up to another, in order. Reads page by page, so memory does not
 * grow with the number of events. In between, other work gets its turn: one event may cause thousands of time awards.
 * @param take returns the number of effects of the event
 */
export async function eachEvent(
  events: Pick<UserEvents, 'read'>,
  user: UserRef,
  { after, upTo = Infinity }: { readonly after: number; readonly upTo?: number },
  take: (record: RecordedUserEvent) => number | Promise<number>,
): Promise<void> {
  let [last, work] = [after, 0];
  for (let more = true; more;) {
    const page = await events.read(user, last, PAGE);
    for (const record of page) {
      if (record.position > upTo) return;
      work += 1 + (await take(record));
      last = record.position;
      if (work < WORK_PER_TURN) continue;
      await turnOfTheLoop();
      work = 0;
    }
    more = page.length === PAGE;
  }
}

/** Whether a record is one of the user's events. */
export const concerns = ({ fact }: RecordedEvent, subject: Subject): boolean =>
  'subject' in fact ? fact.subject === subject : fact.type === 'UsersSwept' && fact.subjects.includes(subject);

/** The record as the user's event, or null if it does not concern the user. */
export const recordOfUser = (record: RecordedEvent | null, { subject }: UserRef): RecordedUserEvent | null =>
  record !== null && concerns(record, subject) ? recordedUserEventOf(record, subject) : null;

/**
 * A record as it concerns one user: for a sweep, only the part that settles this user.
 * @throws Error for a record that does not concern the user
 */
export function recordedUserEventOf(record: RecordedEvent, subject: Subject): RecordedUserEvent {
  const { fact } = record;
  if (fact.type === 'UsersSwept') {
    const place = fact.subjects.indexOf(subject);
    if (place >= 0) return sweepOf(record, subject, place);
  } else if ('subject' in fact && fact.subject === subject) return { ...record, fact };
  throw new Error(`the record at position ${record.position} does not concern subject ${subject}`);
}

const POSITIONS = 'select position from effects where subject = $1 and position > $2 order by position limit $3';

/** Reads positions from the table `effects`, by its primary key. */
export const positionsInPostgres =
  (sql: SqlReader): UserPositions =>
  async (subject, after, limit) => {
    const rows = await sql.query<{ position: string }>(POSITIONS, [subject, after, limit]);
    return rows.map(({ position }) => Number(position));
  };
