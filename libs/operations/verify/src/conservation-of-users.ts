import { EXPECTED_USER_SEARCH_ENTRIES, IS_USER_SEARCH_KEPT } from '@laurel/users';
import {
  asCorrected,
  compared,
  CORRECTIONS,
  datedChangesOf,
  elementsOf,
  ERASED,
  isUncorrected,
  named,
  UTC_DATE,
  type Conservation,
} from './comparison.ts';

/** `events.type` of MetricEventRecorded. */
const METRIC_EVENT = 1;

const METRIC_EVENTS = `
  select * from events where type = ${METRIC_EVENT} and position <= (select position from area_checkpoints where area = 'users')`;

/** The change of a total by each event; a correction that moves events changes a total on several dates. */
const CHANGES = `
  select e.subject, e.position, place, (v ->> 0)::integer as number, (v ->> 1)::numeric as change, (v ->> 2)::numeric as total,
    ${UTC_DATE} + coalesce((v ->> 3)::integer, 0) as date
  from ${elementsOf('users')} where json_typeof(v -> 0) = 'number'`;

const CREATED = `select e.subject from ${elementsOf('users')} where v ->> 0 = 'created' and json_typeof(v -> 0) = 'string'`;
/** Users whose events are all retracted: they are known, but new on no day. */
const LEFT_EMPTY = `select subject from user_states where account = $1::text and users ->> 'created' is null`;
const ACTIVE = `
  select ${UTC_DATE} + coalesce((v ->> 1)::integer, 0) as date
  from ${elementsOf('users')} where v ->> 0 = 'active' and json_typeof(v -> 0) = 'string'`;

const PLACE_OF_ENTRY = `coalesce('behind ' || to_json(previous), 'the first')`;

export const CONSERVATION_OF_USERS: readonly Conservation[] = [
  compared('users', 'effects', ['subject', 'position'], {
    what: `'the change of a metric'`,
    stored: `select subject, position, ${named('metrics', 'number')} || ' ' || trim_scale(change) as value
      from (${CHANGES}) c where position not in (select position from (${CORRECTIONS}) c)`,
    expected: `select subject, position, metric || ' ' || trim_scale(value) as value from (${METRIC_EVENTS}) e where value <> 0`,
  }),
  {
    check: 'users',
    table: 'effects',
    rows: `
      select subject, position, 'the total of ' || ${named('metrics', 'number')} as what,
        trim_scale(total)::text as stored, trim_scale(before + change)::text as expected
      from (select *, lag(total, 1, 0) over (partition by subject, number order by position, place) as before from (${CHANGES}) c) c
      where total is distinct from before + change`,
  },
  compared('users', 'metric_months', ['subject', 'number', 'date'], {
    what: `${named('metrics', 'number')} || ' on ' || date`,
    stored: datedChangesOf('metric_months', 'metric'),
    expected: `select subject, number, date, trim_scale(sum(change)) as value from (${CHANGES}) c group by subject, number, date`,
  }),
  compared('users', 'user_states', ['subject', 'metric'], {
    what: `'the total of ' || metric`,
    stored: `
      select subject, (t ->> 0) collate "C" as metric, trim_scale((t ->> 1)::numeric) as value
      from user_states cross join lateral jsonb_array_elements(users -> 'totals') t
      where account = $1::text and (t ->> 1)::numeric <> 0`,
    expected: `
      select subject, metric, trim_scale(sum(value)) as value from (${asCorrected(METRIC_EVENTS)}) e
      group by subject, metric having sum(value) <> 0`,
  }),
  compared('users', 'metric_day_counts', ['metric', 'date'], {
    what: `'the total of ' || metric || ' on ' || date`,
    stored: `
      select metric, date, trim_scale(sum(total)) as value from metric_day_counts
      where account = $1::text group by metric, date having sum(total) <> 0`,
    expected: `
      select ${named('metrics', 'number')} as metric, date, trim_scale(sum(change)) as value
      from (${CHANGES}) c group by number, date having sum(change) <> 0`,
  }),
  compared('users', 'metric_day_counts', ['metric'], {
    what: `'the number of events of ' || metric`,
    stored: `
      select metric, sum(events) as value from metric_day_counts where account = $1::text group by metric having sum(events) <> 0`,
    expected: `select metric, count(*)::numeric as value from (${asCorrected(METRIC_EVENTS)}) e group by metric`,
  }),
  compared('users', 'user_counts', [], {
    what: `'the number of users'`,
    stored: `select coalesce(sum(users), 0) as value from user_counts where account = $1::text`,
    expected: `select count(distinct subject)::numeric as value from (${CREATED}) c where subject not in (${ERASED})`,
  }),
  compared('users', 'user_day_counts', [], {
    what: `'the number of new users'`,
    stored: `select coalesce(sum(new_users), 0) as value from user_day_counts where account = $1::text`,
    expected: `select count(distinct subject)::numeric as value from (${CREATED}) c where subject not in (${LEFT_EMPTY})`,
  }),
  compared('users', 'user_day_counts', ['date'], {
    what: `'the number of active users on ' || date`,
    stored: `
      select date, sum(active_users) as value from user_day_counts
      where account = $1::text and ${isUncorrected('date')} group by date having sum(active_users) <> 0`,
    expected: `select date, count(*)::numeric as value from (${ACTIVE}) a where ${isUncorrected('date')} group by date`,
  }),
  compared('users', 'user_zones', ['subject', 'position'], {
    what: `'the zone'`,
    stored: 'select subject, position, zone as value from user_zones',
    expected: `
      select e.subject, e.position, (v ->> 2) collate "C" as value
      from ${elementsOf('users')} where v ->> 0 = 'zone' and json_typeof(v -> 0) = 'string'`,
  }),
  compared('users', 'user_search', ['subject', 'kind', 'term'], {
    isOptional: true,
    what: `'the entry of the ' || kind || ' ' || to_json(term)`,
    stored: `
      select subject, kind, term, ${PLACE_OF_ENTRY} as value from user_search where account = $1::text and ${IS_USER_SEARCH_KEPT}`,
    expected: `
      select subject, kind, term, ${PLACE_OF_ENTRY} as value from (${EXPECTED_USER_SEARCH_ENTRIES}) e where ${IS_USER_SEARCH_KEPT}`,
  }),
];
