import type { PointsRange, SqlReader } from '@laurel/contracts';
import { LOWEST_TOP, pointsRanges } from './rules/points-ranges.ts';

/**
 * The recorded total of every user of the account ($1) in a system ($2), out of states as `rules/points-codec.ts` writes
 * them: `systems` is a list of [key, total, …], so that a key is a value here and never a path. Who has none has 0.
 */
const TOTALS = `
  select coalesce(
    (select (system ->> 1)::numeric from jsonb_array_elements(points -> 'systems') as system where system ->> 0 = $2), 0
  ) as total
  from user_states
  where account = $1`;

const BY_LEVEL = `
  select width_bucket(total, $3::numeric[]) as place, count(*) as users
  from (${TOTALS}) totals
  group by place`;

/**
 * How many users' totals lie below the first bound, from the first up to the second, …, from the last on: one more than
 * there are bounds, which ascend.
 */
export async function usersByBound(
  sql: SqlReader,
  account: string,
  system: string,
  bounds: readonly bigint[],
): Promise<readonly number[]> {
  const rows = await sql.query<PlaceRow>(BY_LEVEL, [account, system, bounds.map(String)]);
  return counted(rows, bounds.length + 1);
}

/**
 * One look at all users: who gets ahead of the highest meanwhile cannot fall out of the ranges. `top`: the power of ten that
 * has as many zeros as the highest total less one has digits. `div` truncates exactly; `width_bucket` rounds its quotient before
 * Postgres 16, and so counts a large total in the range above its own.
 */
const BY_RANGE = `
  with totals as materialized (${TOTALS}),
  ranges as (select ('1e' || length((greatest(max(total), 1) - 1)::text))::numeric as top from totals)
  select top, case when total < 1 then 0 else div((total - 1) * 10, top)::int + 1 end as place, count(*) as users
  from totals cross join ranges
  group by top, place`;

/** How many users' totals lie in each range (specification, section 8). */
export async function usersByRange(sql: SqlReader, account: string, system: string): Promise<readonly PointsRange[]> {
  const rows = await sql.query<PlaceRow & { readonly top: string }>(BY_RANGE, [account, system]);
  return pointsRanges(rows[0] ? BigInt(rows[0].top) : LOWEST_TOP, counted(rows, 11));
}

interface PlaceRow {
  readonly place: number;
  readonly users: string;
}

function counted(rows: readonly PlaceRow[], places: number): readonly number[] {
  const users = new Map(rows.map((row) => [row.place, Number(row.users)]));
  return Array.from({ length: places }, (_, place) => users.get(place) ?? 0);
}
