import type { AreaTable } from '@laurel/kernel';
import { moveChain, moveHead, typeNumberOf } from '@laurel/event-store';
import { CHECKPOINTS, DOCUMENTS, INBOX } from '../storage/postgres-tables.ts';

export const EVENTS = 'events';

/** Parameters of the log hash if nothing is hashed. */
export const NOTHING_HASHED = [null, null, '[]'];

/**
 * Rows are deleted before others are inserted, and the inserts read from the deletes, because both may have the same
 * key.
 *
 * Every part is joined to `head`, which is empty for a fenced writer: nothing is written then, and no row is returned.
 * The parameters with rows are texts, because a rebuild replaces tables and their row types with them.
 *
 * @param replaced tables to delete rows from; null if no rows are deleted and no user is erased
 */
export function commitStatement(areaTables: readonly AreaTable[], replaced: readonly AreaTable[] | null): string {
  const insert = ({ name, onConflict }: AreaTable, rows: string): string => `
into_${name} as (
  insert into ${name} select r.* from head, ${rows} r
  ${onConflict}
)`;
  const insertJson = (table: AreaTable, parameter: number): string =>
    insert(table, `json_populate_recordset(null::${table.name}, $${parameter}::json)`);
  const insertArray = (table: AreaTable, parameter: number): string => {
    const rows = `unnest($${parameter}::text::${table.name}[])`;
    return insert(
      table,
      replaced?.includes(table) ? `(select count(*) from out_of_${table.name}) gone, ${rows}` : rows,
    );
  };
  const firstRemoved = 10 + areaTables.length + NOTHING_HASHED.length;
  const parts = [
    moveHead(`$${9 + areaTables.length}`),
    insertArray({ name: EVENTS, onConflict: '' }, 4),
    insertJson(DOCUMENTS, 5),
    insertJson(CHECKPOINTS, 6),
    insertJson(INBOX, 7),
    `
applied as (
  delete from area_inbox i using head, json_to_recordset($8::json) as a (area text, sequence bigint)
  where i.area = a.area and i.sequence = a.sequence
)`,
    ...(replaced ?? []).map((table, index) => deletion(table, firstRemoved + index)),
    ...areaTables.map((table, index) => insertArray(table, 9 + index)),
    moveChain({ before: '$2', after: '$3', first: 10 + areaTables.length }, 'from head'),
    ...(replaced === null ? [] : [forget(firstRemoved + replaced.length)]),
  ];
  return `with ${parts.join(',')}\nselect position from head`;
}

/**
 * Erases users in the same statement that records the erasure, so both hold or neither does. Without the row of the
 * directory, nobody knows the user; without the data key in that row, nobody can read sealed fields. Attributes of
 * events are deleted as well: before the first release, they were recorded in clear text.
 */
const forget = (parameter: number): string => `
forgotten as (
  delete from subjects s using head, unnest($${parameter}::text[], $${parameter + 1}::bigint[]) as e (account, subject)
  where s.account = e.account and s.subject = e.subject
), cleared as (
  update events v set data = nullif(v.data - 'attributes', '{}') from head, effects e
  where e.subject = any($${parameter + 1}::bigint[]) and v.position = e.position
    and v.type = ${typeNumberOf('MetricEventRecorded')} and v.schema_version = 2 and v.data ? 'attributes'
)`;

const deletion = ({ name, replacedBy = [] }: AreaTable, parameter: number): string => `
out_of_${name} as (
  delete from ${name} t using head, json_populate_recordset(null::${name}, $${parameter}::json) r
  where ${replacedBy.map((column) => `t.${column} = r.${column}`).join(' and ')} returning 1
)`;
