import { formatDay, type Instant, type LocalDate } from '@laurel/calendar';
import type { SqlReader, Subject, UserRef } from '@laurel/kernel';
import type { StoredAward } from '@laurel/ports';
import { firedAwardId } from './award-id.ts';
import { awardEffectsIn, type KnownNames } from './stored-awards.ts';

/** A recorded award and its user. */
export interface RecordedAward extends StoredAward {
  readonly subject: Subject;
  readonly system: string;
  /** The award's date on the user's clock. */
  readonly date: LocalDate;
}

/** From `from` up to, but not including, `to`; null means no bound. */
export interface InstantRange {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

interface Row {
  readonly subject: string;
  readonly position: string;
  readonly occurred_at: Date;
  readonly event_id: string | null;
  /** null if the row has no award of the account in the range. */
  readonly points: string | null;
}

/** Rows of `effects` that a statement reads. */
const PAGE = 2_000;

/**
 * $1 and $2 subject and position of the last row of the previous page, $3 the account, $4 the first instant, $5 how many rows. Reads all
 * rows in the order of the primary key, even without awards, so no statement reads more than a page. An award is never later than the
 * event of its row.
 */
const SELECT = `
select e.subject, e.position, e.occurred_at, e.event_id, case when e.systems is not null
  and ($4::timestamptz is null or e.occurred_at >= $4)
  and exists (select from user_states u where u.account = $3 and u.subject = e.subject) then e.points end as points
from effects e where (e.subject, e.position) > ($1::bigint, $2::bigint)
order by e.subject, e.position limit $5`;

/** Selects the awards of one user. $1: subject; $2: last position; $3: account; $4: number of rows. */
const SELECT_OF_USER = `
select e.subject, e.position, e.occurred_at, e.event_id, e.points
from effects e where e.subject = $1 and e.position > $2 and e.systems is not null
  and exists (select from user_states u where u.account = $3 and u.subject = e.subject)
order by e.position limit $4`;

/** The recorded awards of a user, in order. Holds one page in memory. */
export async function* awardsOfUser(
  sql: SqlReader,
  { account, subject }: UserRef,
  names: KnownNames,
  pageRows = PAGE,
): AsyncGenerator<readonly RecordedAward[], void> {
  for (let after = '0'; ;) {
    const rows = await sql.query<Row>(SELECT_OF_USER, [subject, after, account, pageRows]);
    if (rows.length > 0) yield rows.flatMap((row) => awardsOf(row, names));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.position;
  }
}

/** The recorded awards of all users in a range, user by user, in order. Holds one page in memory; a page may be empty. */
export async function* everyAward(
  sql: SqlReader,
  account: string,
  { from, to, pageRows = PAGE }: InstantRange & { readonly pageRows?: number },
  names: KnownNames,
): AsyncGenerator<readonly RecordedAward[], void> {
  const isIn = ({ at }: RecordedAward): boolean => (from === null || at >= from) && (to === null || at < to);
  for (let after: readonly string[] = ['0', '0']; ;) {
    const since = from === null ? null : new Date(from);
    const rows = await sql.query<Row>(SELECT, [...after, account, since, pageRows]);
    yield rows.flatMap((row) => awardsOf(row, names)).filter(isIn);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = [last.subject, last.position];
  }
}

function awardsOf({ subject, occurred_at, event_id, points }: Row, names: KnownNames): readonly RecordedAward[] {
  if (points === null) return [];
  return awardEffectsIn(points, occurred_at.getTime(), names()).map(
    ({ system, triggerId, awarded, total, at, day, due, boosts }) => ({
      id: due || event_id === null ? null : firedAwardId(event_id, triggerId, system),
      subject: Number(subject),
      system,
      triggerId,
      at,
      date: formatDay(day),
      awarded: BigInt(awarded),
      total: BigInt(total),
      ...(boosts && { boosts }),
    }),
  );
}
