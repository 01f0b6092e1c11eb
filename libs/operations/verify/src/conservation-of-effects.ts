import { compared, elementsOf, ERASED, IS_AWARD, type Conservation } from './comparison.ts';
import { AWARDS } from './conservation-of-points.ts';

/** `events.type` of UsersSwept. */
const SWEPT = 4;

/** Events and the users whom they affect, according to the log. */
const AFFECTED = `
  select v.subject, v.position, v.occurred_at as value from events v where v.subject is not null
  union all
  select swept.subject::bigint, v.position, v.occurred_at
  from events v cross join lateral jsonb_array_elements_text(v.data -> 'subjects') as swept (subject) where v.type = ${SWEPT}`;

export const CONSERVATION_OF_EFFECTS: readonly Conservation[] = [
  compared('effects', 'effects', ['subject', 'position'], {
    what: `'the row of the event'`,
    stored: 'select subject, position, occurred_at as value from effects',
    expected: `select * from (${AFFECTED}) a where position <= (select position from area_checkpoints where area = 'users')`,
  }),
  compared('effects', 'effects', ['subject', 'position'], {
    what: `'the id of the event that awarded points'`,
    stored: 'select subject, position, event_id as value from effects where event_id is not null',
    expected: `
      select distinct e.subject, e.position, v.event_id as value
      from (select e.subject, e.position from ${elementsOf('points')} where ${IS_AWARD} and v ->> 4 is null) e
      join events v using (position)`,
  }),
  compared('effects', 'effects', ['subject', 'position'], {
    what: `'the list of systems that points were awarded in'`,
    stored: 'select subject, position, systems as value from effects where systems is not null',
    expected: `
      select subject, position, string_agg(system::text, ',' order by system) collate "C" as value
      from (select distinct subject, position, system from (${AWARDS}) a) s group by subject, position`,
  }),
  {
    check: 'effects',
    table: 'subjects',
    rows: `
      select subject, null::bigint as position, 'the id' as what, null::text as stored, 'known to the directory' as expected
      from (select distinct subject from effects) e
      where subject not in (${ERASED}) and not exists (select from subjects u where u.account = $1::text and u.subject = e.subject)`,
  },
  {
    check: 'effects',
    table: 'subjects',
    rows: `
      select subject, null::bigint as position, 'the id' as what, 'known to the directory' as stored, null::text as expected
      from subjects where account = $1::text and subject in (${ERASED})`,
  },
  compared('effects', 'user_states', ['subject'], {
    what: `'the row'`,
    stored: `select subject, 'a state' as value from user_states where account = $1::text`,
    expected: `select distinct subject, 'a state' as value from effects`,
  }),
];
