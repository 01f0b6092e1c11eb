import type { VerificationFinding } from '@laurel/schemas';

/** A condition that must hold between tables, in SQL. It shares no code with the rules that wrote them. */
export interface Conservation {
  readonly check: VerificationFinding['check'];
  /** The table that a finding names. */
  readonly table: string;
  /** Skips the comparison if the installation has no such table. */
  readonly isOptional?: boolean;
  /**
   * Selects the violations: `subject`, `position`, `what` (a noun), `stored` and `expected`; an unknown value is null. $1: the account,
   * $2: names by their numbers and `triggerSystems`.
   */
  readonly rows: string;
}

interface ComparedSql extends Pick<Conservation, 'isOptional'> {
  /** SQL for the noun of a finding, from the columns of the key. */
  readonly what: string;
  readonly stored: string;
  readonly expected: string;
}

/**
 * Both sides must select the same `value` for the same keys.
 * @param key columns that both sides select besides `value`; findings show `subject` and `position`
 */
export function compared(
  check: Conservation['check'],
  table: string,
  key: readonly string[],
  { what, stored, expected, isOptional = false }: ComparedSql,
): Conservation {
  const shown = (column: string) => `${key.includes(column) ? column : 'null'}::bigint as ${column}`;
  const joined = key.length === 0 ? 'on true' : `using (${key.join(', ')})`;
  const rows = `
    select ${shown('subject')}, ${shown('position')}, ${what} as what, s.value::text as stored, x.value::text as expected
    from (${stored}) s full join (${expected}) x ${joined} where s.value is distinct from x.value`;
  return { check, table, isOptional, rows };
}

/** `events.type` of UserErased. */
const ERASED_TYPE = 12;

/** Subjects whose erasure is applied: no counter and no directory has them. */
export const ERASED = `
  select subject from events
  where account = $1::text and type = ${ERASED_TYPE} and type >= 5 and position <= (select position from area_checkpoints where area = 'users')`;

/** `events.type` of CorrectionRecorded. */
const CORRECTION_TYPE = 11;

/** Applied corrections. */
export const CORRECTIONS = `
  select * from events
  where type = ${CORRECTION_TYPE} and type >= 5 and position <= (select position from area_checkpoints where area = 'users')`;

const CORRECTED_EVENTS = `
  select c.subject, c.position as correction, (e ->> 'position')::bigint as position, e ? 'retract' as retract,
    (e ->> 'value')::numeric as value, (e ->> 'occurredAt')::timestamptz as occurred_at
  from (${CORRECTIONS}) c cross join lateral jsonb_array_elements(c.data -> 'corrections') as corrected (e)`;

/** The retracted events and corrections of each corrected user. Goes back from the newest correction: only one that is not retracted itself retracts others. */
const RETRACTED = `
  with recursive numbered as (
    select subject, correction, array_agg(position) filter (where retract) as retracts,
      row_number() over (partition by subject order by correction desc) as number
    from (${CORRECTED_EVENTS}) e group by subject, correction
  ), counted as (
    select distinct subject, 0::bigint as number, '{}'::bigint[] as retracted from numbered
    union all
    select subject, n.number, case when n.correction = any(retracted) then retracted else retracted || coalesce(retracts, '{}') end
    from counted c join numbered n using (subject) where n.number = c.number + 1
  )
  select distinct on (subject) subject, retracted from counted order by subject, number desc`;

/** Events with their corrections applied. @param events SQL that selects them */
export const asCorrected = (events: string): string => `
  select e.subject, e.position, e.metric, coalesce(amended.value, e.value) as value
  from (${events}) e left join (${RETRACTED}) r using (subject)
  left join lateral (
    select a.value from (${CORRECTED_EVENTS}) a
    where r.subject is not null and a.subject = e.subject and a.position = e.position and a.value is not null
      and a.correction <> all(r.retracted)
    order by a.correction desc limit 1
  ) amended on true
  where r.subject is null or e.position <> all(r.retracted)`;

/** Whether no correction can have changed the counts of a date, which also depend on earlier events. */
export const isUncorrected = (date: string): string => `not exists (
  select from (${CORRECTIONS}) c
  join lateral (
    select min(least(e.occurred_at, v.occurred_at)) as first
    from (${CORRECTED_EVENTS}) e left join events v on v.position = e.position where e.correction = c.position
  ) corrected on true
  where ${date} between (corrected.first - interval '2 days')::date and (c.occurred_at + interval '2 days')::date)`;

/** The configured name of a number, or the number itself if no version names it. */
export const named = (kind: 'metrics' | 'systems' | 'achievements' | 'boards', column: string): string =>
  `(coalesce($2::jsonb -> '${kind}' ->> (${column} - 1), 'number ' || ${column}) collate "C")`;

/** The elements of a column of `effects`. */
export const elementsOf = (column: 'users' | 'achievements' | 'points'): string =>
  `(select * from effects where ${column} is not null) e
   cross join lateral json_array_elements(e.${column}::json) with ordinality as element (v, place)`;

/** Whether an element `v` of the column of points is an award; other effects begin with a tag. */
export const IS_AWARD = `json_typeof(v -> 0) = 'number'`;

export const UTC_DATE = `(e.occurred_at at time zone 'UTC')::date`;

/** The daily changes in a table of monthly changes; `number` identifies the metric or the system. */
export const datedChangesOf = (table: 'metric_months' | 'points_months', column: 'metric' | 'system'): string => `
  select subject, ${column} as number, month + (day::integer - 1) as date, trim_scale(change::numeric) as value
  from ${table} cross join json_each_text(days) as changes (day, change)`;
