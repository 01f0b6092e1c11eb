import { BUILT_IN_TRIGGERS, NUMBERS_PER_BUILT_IN, REFUND_TRIGGER } from '@laurel/kernel';
import {
  compared,
  CORRECTIONS,
  datedChangesOf,
  elementsOf,
  ERASED,
  IS_AWARD,
  named,
  UTC_DATE,
  type Conservation,
} from './comparison.ts';

/** Every award, with the date on its user's clock. `trigger` is the stored number: below 0 that of a built-in trigger. */
export const AWARDS = `
  select e.subject, e.position, place, (v ->> 0)::integer as trigger, (v ->> 1)::numeric as awarded, (v ->> 2)::numeric as total,
    case when (v ->> 0)::integer < 0 then -(v ->> 0)::integer % ${NUMBERS_PER_BUILT_IN}
      else ($2::jsonb -> 'triggerSystems' ->> ((v ->> 0)::integer - 1))::integer end as system,
    coalesce(date '1970-01-01' + floor((v ->> 4)::numeric / 86400000)::integer, ${UTC_DATE})
      + coalesce((v ->> 3)::integer, 0) as date
  from ${elementsOf('points')} where ${IS_AWARD}`;

const IS_REFUND = `(trigger < 0 and -trigger / ${NUMBERS_PER_BUILT_IN} = ${BUILT_IN_TRIGGERS.indexOf(REFUND_TRIGGER)})`;

export const CONSERVATION_OF_POINTS: readonly Conservation[] = [
  {
    check: 'points',
    table: 'effects',
    rows: `
      select subject, position, 'the running total of ' || ${named('systems', 'system')} as what,
        total::text as stored, (before + awarded)::text as expected
      from (select *, lag(total, 1, 0) over (partition by subject, system order by position, place) as before from (${AWARDS}) a) a
      where total is distinct from before + awarded`,
  },
  compared('points', 'points_months', ['subject', 'number', 'date'], {
    what: `${named('systems', 'number')} || ' on ' || date`,
    stored: datedChangesOf('points_months', 'system'),
    expected: `select subject, system as number, date, sum(awarded) as value from (${AWARDS}) a group by subject, system, date`,
  }),
  compared('points', 'user_states', ['subject', 'system'], {
    what: `'the total of ' || system`,
    stored: `
      select subject, (s ->> 0) collate "C" as system, (s ->> 1)::numeric as value
      from user_states cross join lateral jsonb_array_elements(points -> 'systems') s
      where account = $1::text and (s ->> 1)::numeric <> 0`,
    expected: `
      select subject, ${named('systems', 'system')} as system, sum(awarded) as value
      from (${AWARDS}) a group by subject, a.system having sum(awarded) <> 0`,
  }),
  // What a corrected life earned is in no award; a full verification folds it.
  compared('points', 'user_states', ['subject', 'system'], {
    what: `'the points earned in ' || system`,
    stored: `
      select subject, (s ->> 0) collate "C" as system, coalesce(s ->> 5, s ->> 1)::numeric as value
      from user_states cross join lateral jsonb_array_elements(points -> 'systems') s
      where account = $1::text and coalesce(s ->> 5, s ->> 1)::numeric <> 0
        and subject not in (select subject from (${CORRECTIONS}) c)`,
    expected: `
      select subject, ${named('systems', 'system')} as system, sum(awarded) as value
      from (${AWARDS}) a where awarded > 0 and not ${IS_REFUND} and subject not in (select subject from (${CORRECTIONS}) c)
      group by subject, a.system`,
  }),
  ...(['awarded', 'consumed'] as const).map((column) =>
    compared('points', 'point_day_counts', ['system', 'date'], {
      what: `'what was ${column} in ' || system || ' on ' || date`,
      stored: `
        select system, date, sum(${column}) as value from point_day_counts
        where account = $1::text group by system, date having sum(${column}) <> 0`,
      expected: `
        select ${named('systems', 'system')} as system, date, abs(sum(awarded)) as value
        from (${AWARDS}) a where ${column === 'awarded' ? 'awarded > 0' : 'awarded < 0'} group by a.system, date`,
    }),
  ),
  compared('points', 'point_total_counts', ['system'], {
    what: `'the number of users with points in ' || system`,
    stored: `
      select system, sum(users) as value from point_total_counts
      where account = $1::text group by system having sum(users) <> 0`,
    expected: `
      select ${named('systems', 'system')} as system, count(*)::numeric as value
      from (select subject, system from (${AWARDS}) a where subject not in (${ERASED}) group by subject, system having sum(awarded) <> 0) t group by t.system`,
  }),
];
