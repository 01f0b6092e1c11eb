import type { DateRange, LocalDate } from '@laurel/calendar';
import {
  counterTable,
  readDays,
  type PointsAward,
  type PointsDayCounts,
  type Row,
  type SqlReader,
} from '@laurel/contracts';

/** What all users were given and lost in a system on each day, by the date of each award on its user's clock. */
export const POINT_DAY_COUNTS = counterTable({
  name: 'point_day_counts',
  key: ['account', 'system', 'date'],
  sums: ['awarded', 'consumed'],
});

type DatedAward = Pick<PointsAward, 'system' | 'date' | 'awarded'>;

/** One row for each system and date: a record may give thousands of time awards. */
export function dayRows(account: string, awards: readonly DatedAward[]): readonly Row[] {
  const days = new Map<
    string,
    { awarded: bigint; consumed: bigint; readonly system: string; readonly date: LocalDate }
  >();
  for (const { system, date, awarded } of awards) {
    const key = `${system} ${date}`;
    const day = days.get(key) ?? { system, date, awarded: 0n, consumed: 0n };
    if (awarded > 0n) day.awarded += awarded;
    else day.consumed -= awarded;
    days.set(key, day);
  }
  return [...days.values()].map(({ system, date, awarded, consumed }) => ({
    account,
    system,
    date,
    partition: 0,
    awarded: String(awarded),
    consumed: String(consumed),
  }));
}

export async function pointDayCounts(
  sql: SqlReader,
  account: string,
  system: string,
  range: DateRange,
): Promise<readonly PointsDayCounts[]> {
  const columns = ['awarded', 'consumed'] as const;
  const days = await readDays(sql, { table: POINT_DAY_COUNTS.name, of: { account, system }, columns, range });
  return days.map(({ date, awarded, consumed }) => ({ date, awarded: BigInt(awarded), consumed: BigInt(consumed) }));
}
