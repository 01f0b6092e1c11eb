import { formatDay } from '@laurel/calendar';
import {
  EFFECT_COLUMNS,
  areaOf,
  type StateUnderPlan,
  type Row,
  type Rows,
  type Step,
  type UsersAnswer,
} from '@laurel/kernel';
import { EFFECTS_TABLE, effectsRow } from '@laurel/ports';
import { usersMigrations } from './migrations.ts';
import { correctUsers } from './correct-users.ts';
import { METRIC_DAY_COUNTS, USER_DAY_COUNTS } from './day-counts.ts';
import { METRIC_MONTHS } from './metric-months.ts';
import { usersRules, type UsersState } from './rules/users.ts';
import type { UsersPlan } from './rules/users-plan.ts';
import { USER_COUNTS, USER_ZONES, USERS_EFFECTS } from './tables.ts';

/**
 * Versions. 2: metric_days. 3: tables by subject, the day on which the user was last active, and the counts of days. 4:
 * metric_months. 5: metrics by number. 6: effects. 7: a grant may create a user, and corrections move events.
 */
const USERS_STATE_VERSION = 7;

/** The first area of the chain: the user's profile, clock, and totals of metrics. */
export const usersArea = areaOf<UsersState, UsersPlan, UsersAnswer>({
  name: 'users',
  stateVersion: USERS_STATE_VERSION,
  tables: [USERS_EFFECTS, USER_COUNTS, USER_ZONES, METRIC_MONTHS.table, METRIC_DAY_COUNTS, USER_DAY_COUNTS],
  migrations: usersMigrations,
  readableRows: [
    'select month::text as date from metric_months order by subject limit 1',
    'select due_at as instant from user_states order by account limit 1',
  ],
  digest: `jsonb_set(users, '{totals}', (
    select coalesce(jsonb_agg(total order by total), '[]') from jsonb_array_elements(users -> 'totals') total))`,
  rules: usersRules,
  needs: [],
  answerPart: ({ occasion: { user }, effects }) => ({
    created: effects.some(({ type }) => type === 'UserCreated'),
    createdAt: user.createdAt,
    zone: user.zone,
    previousZone: user.previousZone,
    date: formatDay(user.day),
    total: user.total === null ? null : BigInt(user.total),
  }),
  rows: rowsOf,
  correct: correctUsers,
  view: ({ createdAt, profile, totals }, { at, originalDate, metric }, plan) => {
    const zone = profile.tz ?? 'UTC';
    const total = BigInt(totals[(metric === null ? undefined : plan.metricByKey.get(metric)) ?? -1] ?? 0);
    return { created: false, createdAt: createdAt ?? at, zone, previousZone: zone, date: originalDate, total };
  },
});

/**
 * A row for the event itself, for a creation, an erasure, a change of zone, and for the change of a metric on its date,
 * and the counters of the event's date.
 */
function rowsOf({ occasion, effects, configuration }: Step, { state }: StateUnderPlan<UsersState, UsersPlan>): Rows {
  const { account, subject, position, reported, user } = occasion;
  const users = EFFECT_COLUMNS.users.encode(effects, occasion, configuration.names);
  const rows = new Map<string, readonly Row[]>([
    [EFFECTS_TABLE, [effectsRow(occasion, users === null ? {} : { users })]],
  ]);
  const date = formatDay(user.day);
  let [new_users, active_users] = [0, 0];
  for (const effect of effects) {
    switch (effect.type) {
      case 'UserCreated':
        if (!state.wasKnown) rows.set(USER_COUNTS.name, [{ account, partition: 0, users: 1 }]);
        new_users = 1;
        break;
      case 'UserForgotten':
        rows.set(USER_COUNTS.name, [{ account, partition: 0, users: -1 }]);
        break;
      case 'ZoneChanged':
        rows.set(USER_ZONES.name, [{ subject, position, zone: effect.to }]);
        break;
      case 'UserBecameActive':
        active_users = 1;
        break;
      case 'MetricTotalChanged': {
        const number = configuration.names.metrics.numberOf(effect.metric);
        const dated = { subject, number, day: effect.day, change: effect.change };
        rows.set(METRIC_MONTHS.table.name, METRIC_MONTHS.rows([dated]));
        break;
      }
      default:
    }
  }
  if (new_users + active_users > 0)
    rows.set(USER_DAY_COUNTS.name, [{ account, date, partition: 0, new_users, active_users }]);
  if (reported !== null) {
    const metric = configuration.metrics[reported.metric]?.key;
    rows.set(METRIC_DAY_COUNTS.name, [{ account, metric, date, partition: 0, events: 1, total: reported.value }]);
  }
  return rows;
}
