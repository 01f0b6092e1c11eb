import { bucketsBetween, type DateRange, type Zone } from '@laurel/calendar';
import type {
  MetricBucket,
  MetricDayCounts,
  SqlReader,
  StateReader,
  UserDayCounts,
  UserProfile,
  UserReads,
} from '@laurel/contracts';
import { metricDayCounts, userDayCounts } from './day-counts.ts';
import { metricChanges } from './metric-days.ts';
import { NO_METRICS, usersRules } from './rules/users.ts';

type MetricSummaryQuery = Parameters<UserReads['metricSummary']>[3];

/** A place in the log at which the clock of a user is asked for. */
export interface ZoneQuestion {
  readonly account: string;
  readonly userId: string;
  readonly position: number;
}

/** The read side of the users area. */
export class UserQueries implements UserReads {
  readonly #sql: SqlReader;
  readonly #states: StateReader;

  constructor(sql: SqlReader, states: StateReader) {
    this.#sql = sql;
    this.#states = states;
  }

  async find(account: string, userId: string): Promise<UserProfile | null> {
    const json = await this.#states.read(account, userId, 'users');
    return json === null ? null : profileOf(userId, json);
  }

  async names(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.#sql.query<{ user_id: string; name: string }>(
      `select user_id, users ->> 'name' as name from user_states where account = $1 and user_id = any($2) and users ? 'name'`,
      [account, userIds],
    );
    return new Map(rows.map((row) => [row.user_id, row.name]));
  }

  /** Those of the users that are known, as `account` and `userId` joined with a NUL. */
  async known(users: readonly { readonly account: string; readonly userId: string }[]): Promise<ReadonlySet<string>> {
    const rows = await this.#sql.query<{ account: string; user_id: string }>(
      `select account, user_id from unnest($1::text[], $2::text[]) as u (account, user_id)
         join user_states s using (account, user_id) where s.users is not null`,
      [users.map(({ account }) => account), users.map(({ userId }) => userId)],
    );
    return new Set(rows.map((row) => `${row.account}\0${row.user_id}`));
  }

  /** The attributes of those of the users that have any, by `account` and `userId` joined with a NUL. */
  async attributesOf(
    users: readonly { readonly account: string; readonly userId: string }[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
    const rows = await this.#sql.query<{ account: string; user_id: string; attributes: [string, string][] }>(
      `select account, user_id, s.users -> 'attributes' as attributes
         from (select distinct * from unnest($1::text[], $2::text[]) as u (account, user_id)) u
         join user_states s using (account, user_id) where s.users ? 'attributes'`,
      [users.map(({ account }) => account), users.map(({ userId }) => userId)],
    );
    return new Map(rows.map((row) => [`${row.account}\0${row.user_id}`, new Map(row.attributes)]));
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

  metricDayCounts(account: string, metric: string, range: DateRange): Promise<readonly MetricDayCounts[]> {
    return metricDayCounts(this.#sql, account, metric, range);
  }

  async metricSummary(
    account: string,
    userId: string,
    metric: string,
    query: MetricSummaryQuery,
  ): Promise<readonly MetricBucket[]> {
    return bucketsBetween(query, query.rule, await metricChanges(this.#sql, account, userId, metric, query));
  }

  /** The clock in force at each place of the log, in the order asked. */
  async zonesAt(questions: readonly ZoneQuestion[]): Promise<readonly Zone[]> {
    const rows = await this.#sql.query<{ zone: string | null }>(
      `select (select z.zone from user_zones z
                where z.account = q.account and z.user_id = q."userId" and z.position <= q.position
                order by z.position desc limit 1) as zone
         from rows from (json_to_recordset($1::json) as (account text, "userId" text, position bigint)) with ordinality as q
        order by q.ordinality`,
      [JSON.stringify(questions)],
    );
    return rows.map((row) => row.zone ?? 'UTC');
  }

  /** All users of an account by id, a page at a time, for exports. */
  async *all(account: string): AsyncIterable<UserProfile> {
    let after = '';
    for (;;) {
      const rows = await this.#sql.query<{ user_id: string; users: unknown }>(
        'select user_id, users from user_states where account = $1 and user_id > $2 order by user_id limit 500',
        [account, after],
      );
      for (const row of rows) yield profileOf(row.user_id, row.users);
      const last = rows.at(-1);
      if (!last) return;
      after = last.user_id;
    }
  }
}

/** A user as they are stored. */
export function profileOf(id: string, stored: unknown): UserProfile {
  const { createdAt, updatedAt, profile, otherTotals } = usersRules.decode(stored, NO_METRICS);
  const totals = new Map([...otherTotals].map(([metric, total]) => [metric, BigInt(total)]));
  return { id, ...profile, createdAt: createdAt ?? 0, updatedAt, totals };
}
