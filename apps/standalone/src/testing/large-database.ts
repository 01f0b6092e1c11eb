import type { SqlReader } from '@laurel/kernel';

/** A user with a row in every table; cloned into many users, or given a long history. */
interface Grown {
  /** The id of the user who is cloned. */
  readonly template: string;
  readonly users: number;
  /** The id of the user who gets a long history. */
  readonly veteran: string;
  readonly events: number;
}

interface Column {
  readonly table: string;
  readonly name: string;
}

/** How the rows of a history differ, by the column that identifies such a table; `n` is the number of the row. */
const PAST: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ordinal: { position: 'position + n' },
  occurred_at: { occurred_at: "occurred_at + n * interval '1 ms'", position: 'position + n' },
  month: { month: "(month - n * interval '1 month')::date" },
  period_start: { period_start: 'period_start - n' },
  date: { date: 'date - n' },
};

/** How the copies of a user differ. No two have the same place on a board. */
const MANY: Readonly<Record<string, string>> = { subject: 'subject + n', reached_ordinal: 'reached_ordinal + n' };

/** The most months and days of a history. */
const LONGEST_PAST: Readonly<Record<string, number>> = { month: 120, period_start: 3_650, date: 3_650 };

/**
 * Makes a database large in seconds, by copying the rows of two users in every table that names users. Copies the
 * second user's events in the log, and sets the counters to match.
 */
export async function enlarge(sql: SqlReader, { template, users, veteran, events }: Grown): Promise<void> {
  const tables = await tablesOfUsers(sql);
  await sql.query(
    `insert into subjects select account, subject + n, user_id || ' ' || n, data_key
     from subjects, generate_series(1, $2::int) n where user_id = $1`,
    [template, users],
  );
  for (const [table, columns] of tables) {
    await copy(sql, table, columns, { user: template, copies: users, differing: MANY });
    const [past] = Object.keys(PAST).filter((name) => columns.includes(name));
    if (past === undefined) continue;
    const copies = LONGEST_PAST[past] ?? events;
    await copy(sql, table, columns, { user: veteran, copies, differing: PAST[past] ?? {} });
  }
  await sql.query('update user_counts set users = users + $1', [users]);
  await sql.query(SPREAD_TOTALS, [users]);
  for (const statement of LENGTHEN_COUNTERS) await sql.query(statement, [users]);
  for (const statement of LENGTHEN_LOG) await sql.query(statement, [veteran, events]);
  // The server would do this later; index-only scans must not depend on when.
  await sql.query('vacuum analyze', []);
}

/**
 * Adds the veteran's events to the log, to match the read models. The log ends with them, and all areas have applied
 * them.
 */
const LENGTHEN_LOG = [
  `insert into events (position, subject, occurred_at, recorded_at, event_id, configuration_version, schema_version, type, imported,
     account, metric, value, zone, data)
   select position + n, subject, occurred_at + n * interval '1 ms', recorded_at, gen_random_uuid(), configuration_version, schema_version,
     type, imported, account, metric, value, zone, data
   from events, generate_series(1, $2::int) n where subject = (select subject from subjects where user_id = $1) on conflict do nothing`,
  // Removes copies at positions that another user's event has.
  `delete from effects e using subjects s, events other
   where s.user_id = $1 and e.subject = s.subject and other.position = e.position and other.subject <> s.subject and $2::int > 0`,
  `delete from rank_changes c using subjects s, events other
   where s.user_id = $1 and c.subject = s.subject and other.position = c.position and other.subject <> s.subject and $2::int > 0`,
  `with head as (
     update log_head set position = (select max(position) from events) returning position
   ), checkpoints as (
     update area_checkpoints set position = head.position from head
   )
   update user_states set points = jsonb_set(points, '{position}', to_jsonb(head.position))
   from head where subject = (select subject from subjects where user_id = $1) and $2::int > 0`,
];

/** Adds users at every total up to 1,000,000 that the counts distinguish. */
const SPREAD_TOTALS = `
  insert into point_total_counts (account, system, mark, partition, users)
  select account, system, mark, 0, greatest($1 / 12000, 1)
  from (select distinct account, system from point_total_counts) systems, (
    select g::numeric as mark from generate_series(100, 999) g
    union select g * 10 ^ zeros + beside
    from generate_series(100, 999) g, generate_series(1, 3) zeros, generate_series(0, 1) beside
  ) marks
  on conflict do nothing`;

/** Ten years of consecutive days, streaks of that many days, and a run for each month. */
const LENGTHEN_COUNTERS = [
  `insert into metric_day_counts
   select account, metric, (date - n)::date, 0, $1::int, $1::int from generate_series(3650, 1, -1) n, metric_day_counts on conflict do nothing`,
  `insert into user_day_counts
   select account, (date - n)::date, 0, $1::int, $1::int from generate_series(3650, 1, -1) n, user_day_counts on conflict do nothing`,
  `insert into point_day_counts
   select account, system, (date - n)::date, 0, $1::int, $1::int from generate_series(3650, 1, -1) n, point_day_counts on conflict do nothing`,
  `insert into streak_length_counts
   select account, generation, n, 0, $1::int / n, $1::int / (2 * n) from generate_series(2, 3650) n, (
     select distinct account, generation from streak_length_counts
   ) present on conflict do nothing`,
  'update board_run_counts set participants = participants + $1::int',
];

interface Copying {
  readonly user: string;
  readonly copies: number;
  /** The changed columns, with their value in copy `n`. */
  readonly differing: Readonly<Record<string, string>>;
}

async function copy(
  sql: SqlReader,
  table: string,
  columns: readonly string[],
  { user, copies, differing }: Copying,
): Promise<void> {
  const own = 'subject = (select subject from subjects where user_id = $1)';
  // In one statement, so that the scan ends before the first copy is written: a hash index does not grow while it is
  // being scanned.
  await sql.query(
    `with original as (select array_agg(stored) as rows from ${table} stored where ${own})
     insert into ${table} (${columns.map(quoted).join(', ')})
     select ${columns.map((column) => differing[column] ?? quoted(column)).join(', ')}
     from original, unnest(original.rows) as one, generate_series(1, $2::int) n on conflict do nothing`,
    [user, copies],
  );
}

const quoted = (column: string): string => `"${column}"`;

/** The tables of the read models that name users, with their columns. */
async function tablesOfUsers(sql: SqlReader): Promise<ReadonlyMap<string, readonly string[]>> {
  const columns = await sql.query<Column>(
    `select table_name::text as "table", column_name::text as name from information_schema.columns
     where table_schema = current_schema() and table_name not in ('events', 'subjects')
     order by table_name, ordinal_position`,
    [],
  );
  const tables = new Map<string, string[]>();
  for (const { table, name } of columns) tables.set(table, [...(tables.get(table) ?? []), name]);
  return new Map([...tables].filter(([, names]) => names.includes('subject')));
}
