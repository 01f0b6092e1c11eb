import type { Conservation } from '@laurel/verify';
import { AREAS } from '@laurel/kernel';
import { EFFECTS_TABLE, effectColumnsOf, USER_SERVICES } from '@laurel/ports';
import { USER_AREA_NAMES } from '@laurel/engine';
import { COPIED_LOG, LOG, type LogTables } from '@laurel/event-store';
import { EVERY_SCHEMA, schemaOf, SCHEMAS } from '@laurel/processes';

const STATES = 'user_states';

/** The users area creates users, so this schema has a row for every row of the others. */
const FIRST = schemaOf('users');

const OTHERS = USER_SERVICES.map(({ schema }) => schema).filter((schema) => schema !== FIRST);

const effectColumns = USER_AREA_NAMES.flatMap((area) =>
  effectColumnsOf(area).map((column) => `${schemaOf(area)}.${EFFECTS_TABLE}.${column}`),
);

const joined = (table: string, key: string): string =>
  [`${FIRST}.${table}`, ...OTHERS.map((schema) => `left join ${schema}.${table} using (${key})`)].join(' ');

/** Shows the copy of an EventStoreDB log under the names of a log in Postgres, without records behind the erasure of their user. */
const COPIED_LOG_AS_LOG = `
create temporary view ${LOG.events} as
  select * from ${COPIED_LOG.events} c
  where not exists (select from erasures e where e.account = c.account and e.subject = c.subject and e.position < c.position);
create temporary view ${LOG.head} as select position from ${COPIED_LOG.head};`;

/**
 * SQL that shows a session the tables of all services under the names that they have in one process. A table that several services have, each
 * with its own columns, becomes a view. It assumes that every service has applied the whole log.
 */
export const gatherTables = (log: LogTables): string => `
set search_path to ${[SCHEMAS.ingestion, ...EVERY_SCHEMA.filter((schema) => schema !== SCHEMAS.ingestion)].join(', ')};
${log === COPIED_LOG ? COPIED_LOG_AS_LOG : ''}
create temporary view ${EFFECTS_TABLE} as
  select subject, position, ${FIRST}.${EFFECTS_TABLE}.occurred_at, ${effectColumns.join(', ')}
  from ${joined(EFFECTS_TABLE, 'subject, position')};
create temporary view ${STATES} as
  select account, subject, ${USER_AREA_NAMES.map((area) => `${schemaOf(area)}.${STATES}.${area}`).join(', ')}
  from ${joined(STATES, 'account, subject')};
create temporary view area_checkpoints as
  select area, position, null::text as failure
  from log_head cross join unnest('{${AREAS.join(',')}}'::text[]) as a (area)`;

/** Checks of rows that the views leave out. */
export const BETWEEN_SCHEMAS: readonly Conservation[] = OTHERS.flatMap((schema) => [
  {
    check: 'effects',
    table: `${schema}.${EFFECTS_TABLE}`,
    rows: `
      select o.subject, o.position, 'the row of the event' as what, o.occurred_at::text as stored, f.occurred_at::text as expected
      from ${schema}.${EFFECTS_TABLE} o left join ${FIRST}.${EFFECTS_TABLE} f using (subject, position)
      where o.occurred_at is distinct from f.occurred_at`,
  },
  {
    check: 'effects',
    table: `${schema}.${STATES}`,
    rows: `
      select o.subject, null::bigint as position, 'the row' as what, 'a state' as stored, null::text as expected
      from ${schema}.${STATES} o left join ${FIRST}.${STATES} f using (account, subject)
      where o.account = $1::text and f.subject is null`,
  },
]);
