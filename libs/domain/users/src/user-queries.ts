import { parseAmount } from '@laurel/amounts';
import { bucketsBetween, type DateRange, type Zone } from '@laurel/calendar';
import type { ConfigurationHistory, SqlReader, StateReader, Subject } from '@laurel/kernel';
import type {
  FoundUser,
  MetricBucket,
  MetricDayCounts,
  UserDayCounts,
  UserProfile,
  UserReads,
  UserSearch,
  UserSearchAnswer,
  UserSearchQuery,
  ZoneChange,
} from '@laurel/ports';
import { metricDayCounts, userDayCounts } from './day-counts.ts';
import { METRIC_MONTHS } from './metric-months.ts';
import { usersRules } from './rules/users.ts';
import { NO_METRICS } from './rules/users-plan.ts';
import { searchUsers } from './search/user-search.ts';
import { profileIn } from './profiles-in-memory.ts';
import { zoneChanges } from './zone-changes.ts';

type MetricSummaryQuery = Parameters<UserReads['metricSummary']>[3];

/** Changes of the clock that one statement walks; most users have hardly any. */
const ZONES_WALKED = 100;

/** A log position for which the user's clock is wanted. */
export interface ZoneQuery {
  readonly account: string;
  readonly subject: Subject;
  readonly position: number;
}

/** The read side of the users area. */
export class UserQueries implements UserReads, UserSearch {
  readonly #sql: SqlReader;
  readonly #states: Pick<StateReader, 'read'>;
  readonly #configurationOf: (account: string) => ConfigurationHistory;

  constructor(
    sql: SqlReader,
    states: Pick<StateReader, 'read'>,
    configurationOf: (account: string) => ConfigurationHistory,
  ) {
    this.#sql = sql;
    this.#states = states;
    this.#configurationOf = configurationOf;
  }

  async find(account: string, subject: Subject): Promise<UserProfile | null> {
    const json = await this.#states.read(account, subject, 'users');
    return json === null ? null : profileOf(json);
  }

  async names(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, string>> {
    if (subjects.length === 0) return new Map();
    const rows = await this.#sql.query<{ subject: string; name: string }>(
      `select subject, users ->> 'name' as name from user_states where account = $1 and subject = any($2::bigint[]) and users ? 'name'`,
      [account, subjects],
    );
    return new Map(rows.map((row) => [Number(row.subject), row.name]));
  }

  /** Those of these users that are known, as `account` and `subject` joined with a NUL. */
  async known(users: readonly { readonly account: string; readonly subject: Subject }[]): Promise<ReadonlySet<string>> {
    const rows = await this.#sql.query<{ account: string; subject: string }>(
      `select account, subject from unnest($1::text[], $2::bigint[]) as u (account, subject)
         join user_states s using (account, subject) where s.users is not null`,
      [users.map(({ account }) => account), users.map(({ subject }) => subject)],
    );
    return new Set(rows.map((row) => `${row.account}\0${row.subject}`));
  }

  /** The attributes of users that have any, by `account` and `subject` joined with a NUL. */
  async attributesOf(
    users: readonly { readonly account: string; readonly subject: Subject }[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
    const rows = await this.#sql.query<{ account: string; subject: string; attributes: [string, string][] }>(
      `select account, subject, s.users -> 'attributes' as attributes
         from (select distinct * from unnest($1::text[], $2::bigint[]) as u (account, subject)) u
         join user_states s using (account, subject) where s.users ? 'attributes'`,
      [users.map(({ account }) => account), users.map(({ subject }) => subject)],
    );
    return new Map(rows.map((row) => [`${row.account}\0${row.subject}`, new Map(row.attributes)]));
  }

  search(account: string, query: UserSearchQuery, after: FoundUser | null, limit: number): Promise<UserSearchAnswer> {
    return searchUsers(this.#sql, account, query, { after, limit });
  }

  async count(account: string): Promise<number> {
    const [row] = await this.#sql.query<{ users: string }>(
      'select coalesce(sum(users), 0) as users from user_counts where account = $1',
      [account],
    );
    return Number(row?.users ?? 0);
  }

  dayCounts(account: string, range: DateRange): Promise<readonly UserDayCounts[]> {
    return userDayCounts(this.#sql, account, range);
  }

  metricDayCounts(account: string, metrics: readonly string[], range: DateRange): Promise<readonly MetricDayCounts[]> {
    return metricDayCounts(this.#sql, account, metrics, range);
  }

  async metricSummary(
    account: string,
    subject: Subject,
    metric: string,
    query: MetricSummaryQuery,
  ): Promise<readonly MetricBucket[]> {
    const number = this.#configurationOf(account).current.names.metrics.numberOf(metric);
    const changes = await METRIC_MONTHS.read(this.#sql, { subject, number }, query, parseAmount);
    return bucketsBetween(query, query.rule, changes);
  }

  /** The clock in force at each log position, in the order of the questions. */
  async zonesAt(questions: readonly ZoneQuery[]): Promise<readonly Zone[]> {
    const rows = await this.#sql.query<{ zone: string | null }>(
      `select (select z.zone from user_zones z
                where z.subject = q.subject and z.position <= q.position
                order by z.position desc limit 1) as zone
         from rows from (json_to_recordset($1::json) as (account text, subject bigint, position bigint)) with ordinality as q
        order by q.ordinality`,
      [JSON.stringify(questions)],
    );
    return rows.map((row) => row.zone ?? 'UTC');
  }

  /** Zones of one user, in the order of the positions. Positions that lie close together take one backward scan. */
  async zonesOf(account: string, subject: Subject, positions: readonly number[]): Promise<readonly Zone[]> {
    const changes = await this.#sql.query<{ position: string; zone: string }>(
      'select position, zone from user_zones where subject = $1 and position <= $2 order by position desc limit $3',
      [subject, Math.max(0, ...positions), ZONES_WALKED],
    );
    const oldest = changes.length < ZONES_WALKED ? 0 : Number(changes.at(-1)?.position);
    const behind = positions.filter((position) => position < oldest);
    const further =
      behind.length === 0 ? [] : await this.zonesAt(behind.map((position) => ({ account, subject, position })));
    const walked = (at: number) => changes.find(({ position }) => Number(position) <= at)?.zone ?? 'UTC';
    const found = new Map(behind.map((position, place) => [position, further[place] ?? 'UTC']));
    return positions.map((position) => found.get(position) ?? walked(position));
  }

  zoneChanges(subject: Subject, limit: number): Promise<readonly ZoneChange[]> {
    return zoneChanges(this.#sql, subject, limit);
  }

  async profiles(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, UserProfile>> {
    const rows = await this.#sql.query<{ subject: string; users: unknown }>(
      `select subject, users from user_states
       where account = $1 and subject = any($2::bigint[]) and users is not null`,
      [account, subjects],
    );
    return new Map(rows.map((row) => [Number(row.subject), profileOf(row.users)]));
  }
}

/** A user as they are stored. */
export function profileOf(stored: unknown): UserProfile {
  const state = usersRules.decode(stored, NO_METRICS);
  const totals = new Map([...state.otherTotals].map(([metric, total]) => [metric, BigInt(total)]));
  return { ...profileIn(state), totals, attributeHashes: state.attributeHashes };
}
