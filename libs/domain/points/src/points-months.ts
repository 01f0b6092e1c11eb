import type { DatedChanges, DateRange } from '@laurel/calendar';
import type { SqlReader } from '@laurel/kernel';
import { datedChanges, MonthlyChanges, type ChangeRow, type TotalKey } from '@laurel/ports';

/** The sum of a user's recorded awards in a system on each date. */
export const POINTS_MONTHS = new MonthlyChanges('points_months', 'system', 'systems');

/**
 * One statement, so that state and changes are as of the same event. $5: the account; the other parameters are those of
 * the changes.
 */
const STATE_AND_CHANGES = `
  select points as state, (select json_agg(recorded) from (${POINTS_MONTHS.changes}) recorded) as changes
  from user_states where account = $5 and subject = $1`;

interface StateAndChanges {
  /** The encoded state, or null if nothing is recorded for the user. */
  readonly state: unknown;
  readonly changes: DatedChanges;
}

export async function readStateAndChanges(
  sql: SqlReader,
  account: string,
  { subject, number }: TotalKey,
  range: DateRange,
): Promise<StateAndChanges> {
  const parameters = [subject, number, range.from, range.to, account];
  const [row] = await sql.query<{ state: unknown; changes: readonly ChangeRow[] | null }>(
    STATE_AND_CHANGES,
    parameters,
  );
  return { state: row?.state ?? null, changes: datedChanges(row?.changes ?? [], BigInt) };
}
