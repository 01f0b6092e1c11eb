import type { LogRecord, NewRecord, SqlReader } from '@laurel/contracts';
import { DuplicateKeyError, FencedError, type EventStore } from '../event-store.ts';
import { INSERT_EVENTS, MOVE_HEAD, eventRow, isDuplicateKey } from './log-statements.ts';
import type { LogWriter } from './log-writer.ts';
import { PostgresLogReader } from './postgres-log-reader.ts';

const APPEND = `with ${MOVE_HEAD}, ${INSERT_EVENTS} select position from head`;

/**
 * The log in Postgres. Positions are contiguous and given out by the one writer, so a reader can never pass a position
 * whose transaction is still open.
 */
export class PostgresEventStore extends PostgresLogReader implements EventStore {
  readonly #writer: LogWriter;

  constructor(writer: LogWriter, sql: SqlReader) {
    super(sql);
    this.#writer = writer;
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
}
