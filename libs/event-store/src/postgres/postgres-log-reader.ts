import type { AccountFact, LogRecord, SqlReader } from '@laurel/contracts';
import type { EventLog, IdempotencyScope, UsedKey } from '../event-store.ts';
import { recordOf, type EventRow } from './log-statements.ts';

/** One probe of the unique index per key, at any size of the log: a join could be planned as a scan of all events. */
export const FIND_KEYS = `
select e.account, e.user_id, e.metric, e.idempotency_key, e.event_id, e.position, e.occurred_at
from json_to_recordset($1::json) as k (account text, "userId" text, metric text, key text)
cross join lateral (
  select * from events
  where account = k.account and user_id = k."userId" and metric = k.metric and idempotency_key = k.key
  limit 1
) e`;

/**
 * The read half of the log in Postgres. Every writer gives out its positions in the statement that moves the head, under
 * the lock of that row, so a reader can never pass a position whose transaction is still open.
 */
export class PostgresLogReader implements EventLog {
  readonly #sql: SqlReader;

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  async read(after: number, limit: number): Promise<readonly LogRecord[]> {
    const rows = await this.#sql.query<EventRow>(
      'select * from events where position > $1 order by position limit $2',
      [after, limit],
    );
    return rows.map(recordOf);
  }

  async readAccountFacts(account: string, types?: readonly AccountFact['type'][]): Promise<readonly LogRecord[]> {
    const rows = await this.#sql.query<EventRow>(
      `select * from events where account = $1 and user_id is null and ($2::text[] is null or type = any($2))
      order by position`,
      [account, types ?? null],
    );
    return rows.map(recordOf);
  }

  async findKeys(keys: readonly IdempotencyScope[]): Promise<readonly UsedKey[]> {
    if (keys.length === 0) return [];
    const rows = await this.#sql.query<EventRow>(FIND_KEYS, [JSON.stringify(keys)]);
    return rows.map(usedKeyOf);
  }

  async head(): Promise<number> {
    const rows = await this.#sql.query<{ position: string }>('select position from log_head', []);
    return Number(rows[0]?.position ?? 0);
  }
}

export const usedKeyOf = (row: EventRow): UsedKey => ({
  scope: { account: row.account, userId: row.user_id ?? '', metric: row.metric ?? '', key: row.idempotency_key ?? '' },
  eventId: row.event_id,
  position: Number(row.position),
  occurredAt: row.occurred_at.getTime(),
});
