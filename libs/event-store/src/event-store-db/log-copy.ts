import type { DataKeys, LogRecord, SqlReader } from '@laurel/contracts';
import { BLOCK } from '../chain/log-chain.ts';
import type { StoredLog, StoredRecord } from '../chain/stored-record.ts';
import { rowOfStored } from '../postgres/log-statements.ts';
import { openedRecords } from './opened-records.ts';

export interface LogCopyParts {
  /** Of the schema with `copied_events`. */
  readonly sql: SqlReader;
  /** The log in EventStoreDB, for whoever publishes it. */
  readonly published: StoredLog;
  /** The same, for what was published without being copied. */
  readonly missed: StoredLog;
  readonly dataKeys: DataKeys;
}

/** $1: the position behind which the rows begin, $2: that of the last of them, $3: a JSON array of rows. */
const APPEND = `
with moved as (
  update copied_head set position = $2::bigint where position >= $1::bigint and position < $2::bigint returning position
)
insert into copied_events
select row.* from moved cross join lateral json_populate_recordset(null::copied_events, $3::json) row
on conflict (position) do nothing`;

const READ_HEAD = 'select position from copied_head';

/**
 * Copies the log in EventStoreDB to Postgres, sealed as it is: that store finds no event by its position, its type or its id. Whoever
 * publishes the log reads it through {@link read}, so an event is in the copy before any service can apply it. The copy has no gaps:
 * each piece goes behind what is there, whichever process brings it, or not at all.
 */
export class LogCopy {
  readonly #parts: LogCopyParts;

  constructor(parts: LogCopyParts) {
    this.#parts = parts;
  }

  /**
   * As `EventLog.read`. What it answers is in the copy, unless the copy ends before `after`.
   * @throws StoreUnavailableError if either store cannot be reached
   */
  async read(after: number, limit: number): Promise<readonly LogRecord[]> {
    const records = await this.#parts.published.readStored(after, limit);
    await this.#append(after, records);
    return openedRecords(records, this.#parts.dataKeys);
  }

  /**
   * Copies what the log holds behind the copy: all of it after an upgrade, nothing as a rule.
   * @param onProgress told how far the copy reaches after each piece
   */
  async catchUp(onProgress: (position: number) => void = () => undefined): Promise<void> {
    for (let last = await this.copyNext(); last !== null; last = await this.copyNext()) onProgress(last);
  }

  /** Copies the next `BLOCK` records behind the copy. @returns how far it reaches then; null: there was nothing to copy */
  async copyNext(): Promise<number | null> {
    const [head] = await this.#parts.sql.query<{ position: string }>(READ_HEAD, []);
    const after = Number(head?.position ?? 0);
    const records = await this.#parts.missed.readStored(after, BLOCK);
    await this.#append(after, records);
    return records.at(-1)?.position ?? null;
  }

  async #append(after: number, records: readonly StoredRecord[]): Promise<void> {
    const last = records.at(-1);
    if (last === undefined) return;
    await this.#parts.sql.query(APPEND, [after, last.position, JSON.stringify(records.map(rowOfStored))]);
  }
}
