import type { LevelsBy, SqlReader, PointsRange } from '@laurel/kernel';
import { LOWEST_TOP, pointsRanges } from './rules/points-ranges.ts';
import { isMark } from './rules/total-marks.ts';
import { usersByMark, type UsersAt } from './total-counts.ts';

/** One points system of an account, and its readers. */
export interface SystemTotals {
  readonly sql: SqlReader;
  readonly account: string;
  readonly system: string;
  /** Counts the users of the account. Called after the totals are read, so that it includes every user with a total. */
  readonly countUsers: () => Promise<number>;
}

/**
 * Counts the users whose totals, or earned points, are from the first bound up to the second, and so on; the last count
 * has no upper bound. Counters answer for totals if every bound is a mark; otherwise this reads the state of every user.
 */
export function usersByBound(of: SystemTotals, bounds: readonly bigint[], by: LevelsBy): Promise<readonly number[]> {
  return by === 'total' && bounds.every(isMark) ? countedByBound(of, bounds) : recountedByBound(of, bounds, by);
}

async function countedByBound(of: SystemTotals, bounds: readonly bigint[]): Promise<readonly number[]> {
  const totals = await totalsIn(of);
  const users = bounds.map(() => 0);
  for (const { mark, users: more } of totals) {
    const place = bounds.findLastIndex((bound) => bound <= mark);
    if (place >= 0) users[place] = (users[place] ?? 0) + more;
  }
  return users;
}

/** From states written by `rules/points-codec.ts`. */
const RECORDED: Readonly<Record<LevelsBy, string>> = {
  total: 'system ->> 1',
  earned: 'coalesce(system ->> 5, system ->> 1)',
};

/**
 * The recorded points of every user of the account ($1) in a system ($2), or 0: `systems` is a list of [key, total, …],
 * so a key is a value and never a path.
 */
const byBound = (by: LevelsBy): string => `
  select width_bucket(points, $3::numeric[]) as place, count(*) as users
  from (
    select coalesce(
      (select (${RECORDED[by]})::numeric from jsonb_array_elements(points -> 'systems') as system where system ->> 0 = $2), 0
    ) as points
    from user_states
    where account = $1 and (points ? 'erased') is not true
  ) recorded
  group by place`;

async function recountedByBound(
  { sql, account, system }: SystemTotals,
  bounds: readonly bigint[],
  by: LevelsBy,
): Promise<readonly number[]> {
  const rows = await sql.query<{ readonly place: number; readonly users: string }>(byBound(by), [
    account,
    system,
    bounds.map(String),
  ]);
  const users = new Map(rows.map((row) => [row.place, Number(row.users)]));
  return bounds.map((_, place) => users.get(place + 1) ?? 0);
}

/** The number of users in each range of totals (specification, section 8). */
export async function usersByRange(of: SystemTotals): Promise<readonly PointsRange[]> {
  const totals = await totalsIn(of);
  const highest = totals.reduce((highest, { mark }) => (mark > highest ? mark : highest), 0n);
  const top = topOf(highest);
  const users = Array.from({ length: 11 }, () => 0);
  for (const { mark, users: more } of totals) {
    const place = mark === 0n ? 0 : Number(((mark - 1n) * 10n) / top) + 1;
    users[place] = (users[place] ?? 0) + more;
  }
  return pointsRanges(top, users);
}

/** The lowest power of ten that is not below any total with this mark. */
const topOf = (mark: bigint): bigint => (mark <= LOWEST_TOP ? LOWEST_TOP : 10n ** BigInt(String(mark - 1n).length));

async function totalsIn({ sql, account, system, countUsers }: SystemTotals): Promise<readonly UsersAt[]> {
  const some = await usersByMark(sql, account, system);
  const counted = some.reduce((sum, { users }) => sum + users, 0);
  return [{ mark: 0n, users: (await countUsers()) - counted }, ...some];
}
