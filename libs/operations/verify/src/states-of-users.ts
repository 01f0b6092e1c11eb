import type { SqlReader, Subject } from '@laurel/kernel';
import type { UserAreaName } from '@laurel/engine';
import { USER_AREAS } from '@laurel/all-areas';
import { firstDifference, shownValue } from './differences.ts';
import type { RowFinding } from './table-of-users.ts';

/** States of a user at the end of a fold. */
export interface FoldedStates {
  readonly account: string;
  readonly subject: Subject;
  /** The position of the last event that was applied. */
  readonly position: number;
  /** The encoded states of the areas that are compared. */
  readonly states: Readonly<Partial<Record<UserAreaName, unknown>>>;
}

interface StateRow {
  readonly place: string;
  readonly area: string;
  readonly stored: string | null;
  readonly expected: string;
}

/** The columns of states as a digest reads them: unordered lists are sorted. */
const VALUES = USER_AREAS.map(({ name, digest }) => `${digest ?? name} as ${name}`).join(', ');
/** The columns without sorted lists, for states whose lists cannot be read. */
const PLAIN = USER_AREAS.map(({ name }) => name).join(', ');

const differing = (values: string): string => `
  with given as materialized (
    select place, r.*, v -> 'areas' as areas
    from jsonb_array_elements($1::jsonb) with ordinality as g (v, place)
    cross join lateral jsonb_populate_record(null::user_states, v) r
  ), expected as (
    select given.place, areas, x.* from given
    cross join lateral (select ${values} from (select ${PLAIN}) own) x
  ), stored as (
    select given.place, s.* from given
    cross join lateral (
      select ${values} from user_states where user_states.account = given.account and user_states.subject = given.subject
    ) s
  )
  select place, one.area, one.stored::text as stored, one.expected::text as expected
  from expected x left join stored s using (place)
  cross join lateral (values ${USER_AREAS.map(({ name }) => `('${name}', s.${name}, x.${name})`).join(', ')})
    as one (area, stored, expected)
  where areas ? one.area and one.stored is distinct from one.expected
  order by place`;

/** Reports each state that is not stored as it was folded. Each area of a user is compared separately. */
export async function compareStates(
  sql: SqlReader,
  folded: readonly FoldedStates[],
  onFinding: (finding: RowFinding) => void,
): Promise<void> {
  if (folded.length === 0) return;
  const given = JSON.stringify(
    folded.map(({ account, subject, states }) => ({ account, subject, ...states, areas: Object.keys(states) })),
  );
  for (const { place, area, stored, expected } of await readDiffering(sql, given)) {
    const { subject, position } = folded[Number(place) - 1] as FoldedStates;
    const difference = firstDifference(
      stored === null ? undefined : JSON.parse(stored),
      JSON.parse(expected),
      `the state ${area}`,
    );
    onFinding({
      subject,
      position,
      what: difference?.path ?? `the state ${area}`,
      stored: shownValue(difference?.stored),
      expected: shownValue(difference?.expected),
    });
  }
}

async function readDiffering(sql: SqlReader, given: string): Promise<readonly StateRow[]> {
  await sql.query('savepoint states', []);
  try {
    return await sql.query<StateRow>(differing(VALUES), [given]);
  } catch {
    // A state has another shape than its area defines: compare the plain columns.
    await sql.query('rollback to savepoint states', []);
    return sql.query<StateRow>(differing(PLAIN), [given]);
  }
}
