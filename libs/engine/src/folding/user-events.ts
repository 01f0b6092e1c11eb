import { type RecordedEvent, type SqlReader, type Subject, type RecordedUserEvent, sweepOf } from '@laurel/kernel';
import type { EventLookup } from '@laurel/event-store';
import type { UserRef } from './document.ts';
import { amendedInstants, type CorrectionRecord } from './event-changes.ts';
import { turnOfTheLoop } from './turn-of-the-loop.ts';

/** Positions of the events that concern a user, ascending: at most `limit` of those behind `after`. */
export type UserPositions = (subject: Subject, after: number, limit: number) => Promise<readonly number[]>;

/**
 * The recorded events of one user: those that name them, and the sweeps that settled them. The table `effects` says which, as it has a row
 * for each user and event; the log has the events themselves, whatever store holds it.
 */
export class UserEvents {
  readonly #positions: UserPositions;
  readonly #log: Pick<EventLookup, 'readAt' | 'correctionsOf'>;

  constructor(positions: UserPositions, log: Pick<EventLookup, 'readAt' | 'correctionsOf'>) {
    this.#positions = positions;
    this.#log = log;
  }

  /** Those behind position `after`, in order, at most `limit`; fewer only if there are no more at present. Two reads, whatever the limit. */
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

  /** Whether there are more than `count` of them; reads no more than that of an index. */
  async areMoreThan({ subject }: UserRef, count: number): Promise<boolean> {
    return (await this.#positions(subject, 0, count + 1)).length > count;
  }
}

/** As `UserEvents.amendedBy` reads them. */
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

/** Events that are read, and held in memory, at a time. */
const PAGE = 500;
/** Events and effects that are applied before other work of the process (answers, the writer) gets its turn. */
const WORK_PER_TURN = 64;

/**
 * Hands over the events of a user that lie behind one position, up to another, in order. They are read page by page, so that memory does
 * not grow with their number. Other work gets its turn in between: one event may bring thousands of time awards.
 * @param take answers how many effects the event had
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

/** null: it does not concern the user. */
export const recordOfUser = (record: RecordedEvent | null, { subject }: UserRef): RecordedUserEvent | null =>
  record !== null && concerns(record, subject) ? recordedUserEventOf(record, subject) : null;

/**
 * A record as it concerns one user: of a sweep the part that settles them.
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

/** From the table `effects`, by its primary key. */
export const positionsInPostgres =
  (sql: SqlReader): UserPositions =>
  async (subject, after, limit) => {
    const rows = await sql.query<{ position: string }>(POSITIONS, [subject, after, limit]);
    return rows.map(({ position }) => Number(position));
  };
