import type { AreaName, AreaTable, Counter, Subject } from '@laurel/kernel';
import { effectColumnsOf, EFFECTS_TABLE } from '@laurel/ports';
import type { UserAreaName } from '../folding/document.ts';

/** The first row of a table whose stored values differ from those that the log yields. */
export interface RebuildDifference {
  readonly table: string;
  /** The user of the row; null for a counter. */
  readonly subject: Subject | null;
  /** null for a counter, or if the user is unknown. */
  readonly userId: string | null;
  /** The stored row as JSON text, or null if there is none. */
  readonly stored: string | null;
  readonly expected: string | null;
}

/** Live and rebuilt read models in one snapshot, compared by the database. */
export interface RebuildComparison {
  /** The first difference of each table that differs, in the order of the users; empty if nothing differs. */
  differences(): Promise<readonly RebuildDifference[]>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** One comparison: SQL for rows with a `subject` and a `value` as text, in the schema that is passed in. */
export interface Compared {
  readonly table: string;
  readonly rowsIn: (schema: string) => string;
}

/**
 * @param tables the tables of each area
 * @param states for each area, an SQL expression of its column of `user_states` that is equal for equal states
 */
export function comparedRows(
  areas: readonly AreaName[],
  tables: ReadonlyMap<AreaName, readonly AreaTable[]>,
  states: ReadonlyMap<UserAreaName, string>,
): readonly Compared[] {
  const lasting = areas.flatMap((area) => tables.get(area) ?? []).filter(({ isTransient }) => !isTransient);
  const own = new Map(lasting.map((table) => [table.name, table]));
  own.delete(EFFECTS_TABLE);
  return [
    ...areas.flatMap((area) =>
      area === 'leaderboards' ? [] : [stateOf(area, states.get(area) ?? area), ...effectsOf(area)],
    ),
    ...[...own.values()].map((table) => (table.counter === undefined ? rowsOf(table) : sumsOf(table, table.counter))),
  ];
}

const stateOf = (area: UserAreaName, value: string): Compared => ({
  table: 'user_states',
  rowsIn: (schema) =>
    `select subject, jsonb_build_object('${area}', ${value})::text as value from ${schema}.user_states where ${area} is not null`,
});

/** Every event has a row, which belongs to the area `users`. An area without effects has none. */
const effectsOf = (area: UserAreaName): readonly Compared[] => {
  const columns = effectColumnsOf(area);
  if (columns.length === 0) return [];
  const which = area === 'users' ? 'true' : `num_nonnulls(${columns.join(', ')}) > 0`;
  const value = `${json(['position', 'occurred_at', ...columns])}::text as value`;
  return [
    { table: EFFECTS_TABLE, rowsIn: (schema) => `select subject, ${value} from ${schema}.effects where ${which}` },
  ];
};

const rowsOf = ({ name, addedLater = [] }: AreaTable): Compared => {
  const without = `'{${['subject', ...addedLater].join()}}'::text[]`;
  return {
    table: name,
    rowsIn: (schema) => `select subject, (to_jsonb(t) - ${without})::text as value from ${schema}.${name} t`,
  };
};

/** Sums per key. The partition that counted does not matter, nor do rows with 0. */
const sumsOf = ({ name }: AreaTable, { key, numbers }: Counter): Compared => ({
  table: name,
  rowsIn: (schema) => `
    select null::bigint as subject, ${json(key, numbers)}::text as value
    from (
      select ${key.join(', ')}, ${numbers.map((number) => `trim_scale(sum(${number})::numeric) as ${number}`).join(', ')}
      from ${schema}.${name} group by ${key.join(', ')}
    ) sums where ${numbers.map((number) => `${number} <> 0`).join(' or ')}`,
});

const json = (...columns: readonly (readonly string[])[]): string =>
  `jsonb_build_object(${columns
    .flat()
    .map((column) => `'${column}', ${column}`)
    .join(', ')})`;

/**
 * The first rows that are more frequent on one side, by user; rows without a user come last. @param directory the
 * schema with the table `subjects`
 */
export const differing = ({ rowsIn }: Compared, live: string, rebuilt: string, directory = live): string => `
  select d.side, d.subject, u.user_id, d.value
  from (
    select 'stored' as side, a.* from (${rowsIn(live)} except all ${rowsIn(rebuilt)}) a
    union all
    select 'expected' as side, b.* from (${rowsIn(rebuilt)} except all ${rowsIn(live)}) b
  ) d
  left join ${directory}.subjects u on u.subject = d.subject
  order by d.subject nulls last, d.value, d.side limit ${FIRST_ROWS}`;

/** Number of rows from which both sides of the first difference are taken. */
const FIRST_ROWS = 50;

export interface DifferingRow {
  readonly side: 'stored' | 'expected';
  readonly subject: string | null;
  readonly user_id: string | null;
  readonly value: string;
}

/** @param rows sorted; only those of the first user are used */
export function firstDifferenceIn(table: string, rows: readonly DifferingRow[]): RebuildDifference | null {
  const [first] = rows;
  if (first === undefined) return null;
  const own = rows.filter(({ subject }) => subject === first.subject);
  return {
    table,
    subject: first.subject === null ? null : Number(first.subject),
    userId: first.user_id,
    stored: own.find(({ side }) => side === 'stored')?.value ?? null,
    expected: own.find(({ side }) => side === 'expected')?.value ?? null,
  };
}

/** Differences of users first, in the order of the users. */
export const inOrder = (differences: readonly RebuildDifference[]): readonly RebuildDifference[] =>
  [...differences].sort((a, b) => (a.subject ?? Infinity) - (b.subject ?? Infinity) || 0);
