import { add, millionthsOf, subtract, type Exact } from '@laurel/amounts';
import { formatDay, type DateRange, type Day } from '@laurel/calendar';
import type { PointsAwarded, Row, SqlReader } from '@laurel/kernel';
import { counterTable, readDays, type PointsDayCounts } from '@laurel/ports';

/** The points that all users gained and lost in a system on each day, by the date of each award on its user's clock. */
export const POINT_DAY_COUNTS = counterTable({
  name: 'point_day_counts',
  key: ['account', 'system', 'date'],
  sums: ['awarded', 'consumed'],
});

type DatedAward = Pick<PointsAwarded, 'system' | 'day' | 'awarded'>;

interface PointsOfDay {
  readonly system: string;
  readonly day: Day;
  awarded: Exact;
  consumed: Exact;
}

/** Makes one row for each system and date: a record may give thousands of time awards. */
export function dayRows(account: string, awards: readonly DatedAward[]): readonly Row[] {
  const days = new Map<string, PointsOfDay>();
  for (const { system, day, awarded } of awards) {
    const key = `${system} ${day}`;
    const of = days.get(key) ?? { system, day, awarded: 0, consumed: 0 };
    const millionths = millionthsOf(awarded);
    if (awarded > 0) of.awarded = add(of.awarded, millionths);
    else of.consumed = subtract(of.consumed, millionths);
    days.set(key, of);
  }
  return [...days.values()].map(({ system, day, awarded, consumed }) => ({
    account,
    system,
    date: formatDay(day),
    partition: 0,
    awarded,
    consumed,
  }));
}

export async function pointDayCounts(
  sql: SqlReader,
  account: string,
  systems: readonly string[],
  range: DateRange,
): Promise<readonly PointsDayCounts[]> {
  const of = { key: 'system', values: systems } as const;
  const columns = ['awarded', 'consumed'] as const;
  const days = await readDays(sql, { table: POINT_DAY_COUNTS.name, account, of, columns, range });
  return days.map(({ system, date, awarded, consumed }) => ({
    system,
    date,
    awarded: BigInt(awarded),
    consumed: BigInt(consumed),
  }));
}
