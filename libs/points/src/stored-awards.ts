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
