import { formatInstant, type Instant } from '@laurel/calendar';
import type { Configuration, Subject } from '@laurel/kernel';
import { storableDueAt } from '../folding/due-at.ts';
import type { AnyUserArea } from '../folding/document.ts';
import type { PreparedStatements } from './postgres-partition-store.ts';

const USERS_AT_A_TIME = 500;

interface StateRow extends Readonly<Record<string, unknown>> {
  readonly subject: string;
  readonly due_at: Date | null;
}

/**
 * Recomputes every user's next due instant after a publication, because a new configuration may make anything due for
 * anybody. Works partition by partition, in bounded steps. After a crash, a partition begins again.
 */
export class DueReview {
  readonly #sql: PreparedStatements;
  readonly #areas: readonly AnyUserArea[];

  constructor(sql: PreparedStatements, areas: readonly AnyUserArea[]) {
    this.#sql = sql;
    this.#areas = areas.filter((area) => area.dueAt !== undefined);
  }

  /** Whether this service has areas in which something falls due without an event. */
  get isNeeded(): boolean {
    return this.#areas.length > 0;
  }

  /**
   * Those of the partitions whose last review used another version than the current one, or that were never reviewed.
   * One statement.
   */
  async unreviewed({ account, version }: Configuration, partitions: readonly number[]): Promise<readonly number[]> {
    const rows = await this.#sql.query<{ partition: number }>('unreviewed-partitions', UNREVIEWED, [
      account,
      version,
      partitions,
    ]);
    return rows.map(({ partition }) => partition);
  }

  async setReviewed(account: string, partition: number, version: number): Promise<void> {
    await this.#sql.query(
      'set-reviewed',
      `insert into due_reviews values ($1, $2, $3) on conflict (account, partition) do update set version = excluded.version`,
      [account, partition, version],
    );
  }

  /**
   * Reviews the users after `after`, except those whose due instant another process changes meanwhile. Returns the last
   * user, or null if there are no more.
   */
  async step(configuration: Configuration, partition: number, after: Subject): Promise<Subject | null> {
    const { account } = configuration;
    const rows = await this.#sql.query<StateRow>('review-states', REVIEWED_STATES, [
      account,
      partition,
      after,
      USERS_AT_A_TIME,
    ]);
    const changed = rows.flatMap((row) => {
      const dueAt = storableDueAt(this.#dueAt(row, configuration));
      return dueAt === (row.due_at?.getTime() ?? null)
        ? []
        : [{ subject: row.subject, due_at: textOf(dueAt), was: textOf(row.due_at?.getTime() ?? null) }];
    });
    if (changed.length > 0) await this.#sql.query('set-due', SET_DUE, [account, JSON.stringify(changed)]);
    return rows.length < USERS_AT_A_TIME ? null : Number(rows.at(-1)?.subject);
  }

  #dueAt(row: StateRow, configuration: Configuration): Instant | null {
    const instants = this.#areas.flatMap((area) => {
      const json = row[area.name];
      const state = json === null || json === undefined ? area.initial() : area.decode(json);
      return area.dueAt?.(state, configuration) ?? [];
    });
    return instants.length === 0 ? null : Math.min(...instants);
  }
}

const textOf = (dueAt: Instant | null): string | null => (dueAt === null ? null : formatInstant(dueAt));

const UNREVIEWED = `
select partition from unnest($3::int[]) as p (partition)
where not exists (
  select from due_reviews r where r.account = $1 and r.partition = p.partition and r.version = $2
)
order by partition`;

const REVIEWED_STATES = `
select * from user_states where account = $1 and partition = $2 and subject > $3 order by subject limit $4`;

const SET_DUE = `
update user_states s set due_at = r.due_at
from json_to_recordset($2::json) as r (subject bigint, due_at timestamptz, was timestamptz)
where s.account = $1 and s.subject = r.subject and s.due_at is not distinct from r.was`;
