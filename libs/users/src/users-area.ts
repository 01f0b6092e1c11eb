import { ZERO } from '@laurel/amounts';
import { localDate } from '@laurel/calendar';
import { exceedsAttributeLimit } from '@laurel/profile';
import type { ChainMessage, Row, UserArea, UsersSection, ViewRequest } from '@laurel/contracts';
import { METRIC_DAYS, metricDayRows } from './metric-days.ts';
import { addToTotal, nameUser } from './rules/record-user.ts';
import { UNKNOWN_USER, clockOf, type UserState } from './rules/user-state.ts';
import { USER_COUNTS, USER_ZONES } from './tables.ts';
import { decodeUserState, encodeUserState } from './user-state-codec.ts';

/** 2: metric_days. A user's document has the same form in both. */
const USERS_STATE_VERSION = 2;

/** The first area of the chain: who the user is, on which clock they live, and the totals of their metrics. */
export const usersArea: UserArea<UserState, UsersSection> = {
  name: 'users',
  stateVersion: USERS_STATE_VERSION,
  tables: [USER_COUNTS, USER_ZONES, METRIC_DAYS],
  initial: () => UNKNOWN_USER,
  project,
  view,
  refusalOf: ({ attributes }, fields) =>
    exceedsAttributeLimit(attributes, fields.attributes) ? 'too_many_attributes' : null,
  encode: encodeUserState,
  decode: decodeUserState,
};

function project(before: UserState, { record }: ChainMessage) {
  const { fact, occurredAt } = record;
  const named = fact.type === 'UserSwept' ? before : nameUser(before, fact.user, occurredAt);
  const { state, total } =
    fact.type === 'MetricEventRecorded' ? addToTotal(named, fact.metric, fact.value) : { state: named, total: null };
  const section: UsersSection = {
    created: before.createdAt === null && state.createdAt !== null,
    createdAt: state.createdAt ?? occurredAt,
    zone: clockOf(state),
    previousZone: clockOf(before),
    date: localDate(occurredAt, clockOf(state)),
    total,
  };
  return { state, section, rows: rowsOf(section, { record }) };
}

/** A row where the user is created, one where their clock changes, and one for what a metric event adds to its date. */
function rowsOf(section: UsersSection, { record }: ChainMessage): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, readonly Row[]>();
  const { account, position, fact } = record;
  if (section.created) rows.set(USER_COUNTS.name, [{ account, partition: 0, users: 1 }]);
  if (section.zone !== section.previousZone)
    rows.set(USER_ZONES.name, [{ account, user_id: fact.userId, position, zone: section.zone }]);
  const days = metricDayRows(record, section.date);
  if (days.length > 0) rows.set(METRIC_DAYS.name, days);
  return rows;
}

function view(state: UserState, request: ViewRequest): UsersSection {
  const zone = clockOf(state);
  return {
    created: false,
    createdAt: state.createdAt ?? request.at,
    zone,
    previousZone: zone,
    date: request.originalDate,
    total: state.totals.get(request.metric) ?? ZERO,
  };
}
