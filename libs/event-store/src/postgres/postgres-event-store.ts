import type { LogRecord, NewRecord, SqlReader } from '@laurel/contracts';
import { DuplicateKeyError, FencedError, type EventStore, type IdempotencyScope, type UsedKey } from '../event-store.ts';
import { INSERT_EVENTS, MOVE_HEAD, eventRow, isDuplicateKey, recordOf, type EventRow } from './log-statements.ts';
import type { LogWriter } from './log-writer.ts';

const APPEND = `with ${MOVE_HEAD}, ${INSERT_EVENTS} select position from head`;

/**
 * The log in Postgres. Positions are contiguous and given out by the one writer, so a reader can never pass a position
 * whose transaction is still open.
 */
export class PostgresEventStore implements EventStore {
  readonly #writer: LogWriter;
  readonly #sql: SqlReader;

  constructor(writer: LogWriter, sql: SqlReader) {
    this.#writer = writer;
    this.#sql = sql;
  }

  async append(records: readonly NewRecord[]): Promise<readonly LogRecord[]> {
    const head = await this.head();
    const placed = records.map((record, index) => ({ ...record, position: head + 1 + index }));
    const parameters = [this.#writer.epoch, head, head + placed.length, JSON.stringify(placed.map(eventRow))];
    try {
      const moved = await this.#writer.query('append', APPEND, parameters);
      if (moved.length === 0) throw new FencedError();
      return placed;
    } catch (error) {
      if (isDuplicateKey(error)) throw new DuplicateKeyError('an idempotency key in this append has been used before');
      throw error;
    }
  }

  async read(after: number, limit: number): Promise<readonly LogRecord[]> {
    const rows = await this.#sql.query<EventRow>('select * from events where position > $1 order by position limit $2', [after, limit]);
    return rows.map(recordOf);
  }

  async readAccountFacts(account: string): Promise<readonly LogRecord[]> {
    const rows = await this.#sql.query<EventRow>('select * from events where account = $1 and user_id is null order by position', [account]);
    return rows.map(recordOf);
  }

  async findKeys(keys: readonly IdempotencyScope[]): Promise<readonly UsedKey[]> {
    if (keys.length === 0) return [];
    const rows = await this.#sql.query<EventRow>(
      `select e.account, e.user_id, e.metric, e.idempotency_key, e.event_id, e.position, e.occurred_at
         from json_to_recordset($1::json) as k (account text, "userId" text, metric text, key text)
         join events e on e.account = k.account and e.user_id = k."userId" and e.metric = k.metric and e.idempotency_key = k.key`,
      [JSON.stringify(keys)],
    );
    return rows.map(usedKeyOf);
  }

  async findEvents(eventIds: readonly string[], after: number): Promise<ReadonlySet<string>> {
    const rows = await this.#sql.query<{ event_id: string }>('select event_id from events where position > $1 and event_id = any($2::uuid[])', [
      after,
      eventIds,
    ]);
    return new Set(rows.map((row) => row.event_id));
  }

  async head(): Promise<number> {
    const rows = await this.#sql.query<{ position: string }>('select position from log_head', []);
    return Number(rows[0]?.position ?? 0);
  }
}

const usedKeyOf = (row: EventRow): UsedKey => ({
  scope: { account: row.account, userId: row.user_id ?? '', metric: row.metric ?? '', key: row.idempotency_key ?? '' },
  eventId: row.event_id,
  position: Number(row.position),
  occurredAt: row.occurred_at.getTime(),
});
