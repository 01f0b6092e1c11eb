import type { DatedChanges, DateRange, LocalDate } from '@laurel/calendar';
import type { SqlReader, StoredAward, Subject } from '@laurel/contracts';

/**
 * Whose awards are read. `position` is that of the state read beside them: awards recorded since would not fit to it.
 */
export interface Recorded {
  readonly account: string;
  readonly subject: Subject;
  readonly system: string;
  readonly position: number;
}

interface AwardRow {
  readonly id: string | null;
  readonly trigger_id: string;
  readonly awarded: string;
  readonly total: string;
  readonly awarded_at: Date;
}

const NEWEST = `
  select id, trigger_id, awarded, total, awarded_at
  from point_awards
  where account = $1 and subject = $2 and system = $3 and position <= $4
  order by position desc, ordinal desc
  limit $5`;

/** Newest recorded first. */
export async function newestAwards(sql: SqlReader, of: Recorded, limit: number): Promise<readonly StoredAward[]> {
  const rows = await sql.query<AwardRow>(NEWEST, [of.account, of.subject, of.system, of.position, limit]);
  return rows.map((row) => ({
    id: row.id,
    triggerId: row.trigger_id,
    awarded: BigInt(row.awarded),
    total: BigInt(row.total),
    at: row.awarded_at.getTime(),
  }));
}

interface ChangeRow {
  readonly date: LocalDate | null;
  readonly change: string;
}

const CHANGES = `
  select changes.date::text as date, changes.change
  from (
    select case when date >= $5::date then date end as date, sum(awarded) as change
    from point_awards
    where account = $1 and subject = $2 and system = $3 and position <= $4 and date <= $6::date
    group by 1
  ) changes`;

/** What the recorded awards add around a range of dates. */
export async function recordedChanges(sql: SqlReader, of: Recorded, range: DateRange): Promise<DatedChanges> {
  const parameters = [of.account, of.subject, of.system, of.position, range.from, range.to];
  const rows = await sql.query<ChangeRow>(CHANGES, parameters);
  const byDate = new Map<LocalDate, bigint>();
  let before = 0n;
  for (const { date, change } of rows) {
    if (date === null) before = BigInt(change);
    else byDate.set(date, BigInt(change));
  }
  return { before, byDate };
}
