import { StoreUnavailableError, type LogRecord, type SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import type { StoredLog, StoredRecord } from '../stored-record.ts';
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

/** Any number that nobody else uses. */
const COPY_LOCK = 0x1a7e4;

/** SQL that keeps the copy as it is until the transaction ends. Nothing behind its end is published meanwhile. */
export const HOLD_COPY = `select pg_advisory_xact_lock(${COPY_LOCK})`;

/**
 * $1: the position behind which the rows begin, $2: that of the last of them, $3: a JSON array of rows. Answers whether the copy is held; then
 * nothing was inserted.
 */
const APPEND = `
with turn as materialized (
  select pg_try_advisory_xact_lock_shared(${COPY_LOCK}) as is_free
), moved as (
  update copied_head set position = $2::bigint from turn
  where is_free and position >= $1::bigint and position < $2::bigint returning position
), inserted as (
  insert into copied_events
  select row.* from moved cross join lateral json_populate_recordset(null::copied_events, $3::json) row
  on conflict (position) do nothing
)
select not is_free as is_held from turn`;

const READ_HEAD = 'select position from copied_head';
const SET_COMPLETE = 'update copied_head set complete = true where not complete';

/** Records that are copied at a time when they are not published. */
const PIECE = 256;
/** Of rows in a statement, about; one row may have more. */
const MOST_BYTES = 4 * 2 ** 20;
/** Pieces that somebody who asks waits for. */
const MOST_PIECES = 8;

/**
 * Copies the log in EventStoreDB to Postgres, sealed as it is: that store finds no event by its position, its type or its id. Whoever
 * publishes the log reads it through {@link read}, so an event is in the copy before any service can apply it. The copy has no gaps:
 * each piece goes behind what is there, whichever process brings it, or not at all.
 */
export class LogCopy {
  readonly #parts: LogCopyParts;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting: Promise<void> | null = null;

  constructor(parts: LogCopyParts) {
    this.#parts = parts;
  }

  /**
   * As `EventLog.read`. What it answers is in the copy, unless the copy ends before `after`; while the copy is held, it answers nothing
   * behind its end.
   * @throws StoreUnavailableError if either store cannot be reached
   */
  async read(after: number, limit: number): Promise<readonly LogRecord[]> {
    const { published, dataKeys } = this.#parts;
    const records = await published.readStored(after, limit);
    const isHeld = await this.#append(after, records);
    const end = isHeld ? await this.#head() : Infinity;
    return openedRecords(
      records.filter(({ position }) => position <= end),
      dataKeys,
    );
  }

  /**
   * Copies the next records behind the copy, if there are any: very many after an upgrade, none as a rule.
   * @returns whether there may be more
   */
  async copyNext(): Promise<boolean> {
    const { sql, missed } = this.#parts;
    const after = await this.#head();
    const records = await missed.readStored(after, PIECE);
    const isHeld = await this.#append(after, records);
    const more = records.length === PIECE && !isHeld;
    if (!more && !isHeld) await sql.query(SET_COMPLETE, []);
    return more;
  }

  /**
   * For somebody who was told that something is recorded: it may not be published yet. Those who ask until it begins share it. While EventStoreDB
   * cannot be reached, the copy is what there is.
   */
  bringUpToDate(): Promise<void> {
    this.#waiting ??= this.#turn.then(() => {
      this.#waiting = null;
      return this.#copyPieces();
    });
    this.#turn = this.#waiting.catch(() => undefined);
    return this.#waiting;
  }

  async #copyPieces(): Promise<void> {
    try {
      for (let pieces = 0; pieces < MOST_PIECES && (await this.copyNext()); pieces++);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  async #head(): Promise<number> {
    const [head] = await this.#parts.sql.query<{ position: string }>(READ_HEAD, []);
    return Number(head?.position ?? 0);
  }

  /** @returns whether the copy is held: not all of them were inserted */
  async #append(after: number, records: readonly StoredRecord[]): Promise<boolean> {
    let before = after;
    for (const slice of slicesOf(records)) {
      const last = slice.at(-1)?.position ?? before;
      const rows = JSON.stringify(slice.map(rowOfStored));
      const [turn] = await this.#parts.sql.query<{ is_held: boolean }>(APPEND, [before, last, rows]);
      if (turn?.is_held) return true;
      before = last;
    }
    return false;
  }
}

/** In their order, so many together as one statement should hold. */
function* slicesOf(records: readonly StoredRecord[]): Generator<readonly StoredRecord[]> {
  let slice: StoredRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    slice.push(record);
    bytes += ROW_BYTES + 2 * (record.personal?.byteLength ?? 0) + sizeOf(record.data);
    if (bytes < MOST_BYTES) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}

const ROW_BYTES = 500;
const sizeOf = (data: StoredRecord['data']): number => (data === null ? 0 : JSON.stringify(data).length);
