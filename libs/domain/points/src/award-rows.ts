import { millionthsOf } from '@laurel/amounts';
import {
  BUILT_IN_TRIGGERS,
  effectsOfType,
  NUMBERS_PER_BUILT_IN,
  type Configuration,
  type DigestSql,
  type Effect,
  type Occasion,
  type Row,
  type Rows,
} from '@laurel/kernel';
import { EFFECTS_TABLE, effectsRow, effectsTable } from '@laurel/ports';
import { POINT_DAY_COUNTS, dayRows } from './day-counts.ts';
import { POINTS_MONTHS } from './points-months.ts';
import { POINT_TOTAL_COUNTS, totalRows } from './total-counts.ts';
import { encodePointsEffects } from './points-effects.ts';

const BUILT_INS = BUILT_IN_TRIGGERS.map((trigger) => `'${trigger}'`).join(', ');

/** Elements of a stored award before the numbers of its boosts. */
const BOOSTS = 5;

/**
 * Selects the awards for a digest; levels follow from totals. `ordinal` is the order of one event's awards. The event's id represents the
 * award ids that derive from it.
 */
const AWARDS = ({ name, ofUsers }: DigestSql): string => `
  select row(u.user_id, e.position, a.ordinal, case
    when (a.award ->> 0)::int < 0 then (array[${BUILT_INS}])[1 - (a.award ->> 0)::int / ${NUMBERS_PER_BUILT_IN}] || ' ' || ${name('systems', `-(a.award ->> 0)::int % ${NUMBERS_PER_BUILT_IN}`)} else ${name('triggers', '(a.award ->> 0)::int')} end, a.award ->> 1, a.award ->> 2, a.at,
    (a.at at time zone 'UTC')::date + coalesce((a.award ->> 3)::int, 0), case when a.award ->> 4 is null then e.event_id end)::text
    || coalesce(' ' || a.boosts, '') as value
  from effects e cross join lateral (
    select award, row_number() over () as ordinal, case when jsonb_array_length(award) > ${BOOSTS} then (
        select string_agg(case jsonb_typeof(boost) when 'number' then ${name('boosts', "(boost #>> '{}')::int")} else boost #>> '{}' end, ' ' order by place)
        from jsonb_array_elements(award) with ordinality as elements (boost, place) where place > ${BOOSTS}) end as boosts,
      coalesce(timestamptz 'epoch' + (award ->> 4)::bigint * interval '1 ms', e.occurred_at) as at
    from jsonb_array_elements(e.points::jsonb) award where jsonb_typeof(award -> 0) = 'number'
  ) a
  ${ofUsers} and e.systems is not null`;

export const POINTS_EFFECTS = effectsTable(AWARDS);

export function awardRows(occasion: Occasion, effects: readonly Effect[], { names }: Configuration): Rows {
  const columns = encodePointsEffects(effects, occasion, names);
  if (columns === null) return NOTHING;
  const awards = effectsOfType(effects, 'PointsAwarded');
  const { account, subject } = occasion;
  const changes = awards.map(({ system, day, awarded }) => {
    const number = names.systems.numberOf(system);
    return { subject, number, day, change: millionthsOf(awarded) };
  });
  return new Map([
    [EFFECTS_TABLE, [effectsRow(occasion, columns)]],
    [POINTS_MONTHS.table.name, POINTS_MONTHS.rows(changes)],
    [POINT_DAY_COUNTS.name, dayRows(account, awards)],
    [POINT_TOTAL_COUNTS.name, totalRows(account, awards)],
  ]);
}

const NOTHING: ReadonlyMap<string, readonly Row[]> = new Map();
