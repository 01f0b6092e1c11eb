import { StoreUnavailableError, type RecordedEvent, type SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import type { StoredLog, StoredRecord } from '../stored-record.ts';
import { rowOfStored } from '../postgres/log-statements.ts';
import { openedRecords } from '../opened-records.ts';

export interface LogCopyDependencies {
  /** The schema with `copied_events`. */
  readonly sql: SqlReader;
  /** The log in EventStoreDB, for publishing. */
  readonly published: StoredLog;
  /** The same log, for records that were published without being copied. */
  readonly missed: StoredLog;
  readonly dataKeys: DataKeys;
}

/** Any number that nobody else uses. */
const COPY_LOCK = 0x1a7e4;

/** SQL that locks the copy until the transaction ends. Nothing after its end is published meanwhile. */
export const HOLD_COPY = `select pg_advisory_xact_lock(${COPY_LOCK})`;

/**
 * $1: the position before the first row, $2: the position of the last row, $3: a JSON array of rows. Returns whether the copy is locked; then
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

/** Records of a chunk that is copied without being published. */
const CHUNK = 256;
/** The approximate size of the rows in a statement; a single row may be larger. */
const MOST_BYTES = 4 * 2 ** 20;
/** The most chunks for which a reader waits. */
const MOST_CHUNKS = 8;

/**
 * Copies the log in EventStoreDB to Postgres, still sealed, because EventStoreDB finds no event by its position, type or id. The leader
 * publishes the log through {@link read}, so an event is in the copy before any service can apply it. The copy has no gaps: each chunk is
 * appended at its end, whichever process brings it, or not at all.
 */
export class LogCopy {
  readonly #dependencies: LogCopyDependencies;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting: Promise<void> | null = null;

  constructor(dependencies: LogCopyDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * As `EventLog.read`. The returned records are in the copy, unless the copy ends before `after`; while the copy is locked, records after
   * its end are left out.
   * @throws StoreUnavailableError if either store cannot be reached
   */
  async read(after: number, limit: number): Promise<readonly RecordedEvent[]> {
    const { published, dataKeys } = this.#dependencies;
    const records = await published.readStored(after, limit);
    const isHeld = await this.#append(after, records);
    const end = isHeld ? await this.#head() : Infinity;
    return openedRecords(
      records.filter(({ position }) => position <= end),
      dataKeys,
    );
  }

  /**
   * Copies the next records, if there are any: very many after an upgrade, usually none.
   * @returns whether there may be more
   */
  async copyNext(): Promise<boolean> {
    const { sql, missed } = this.#dependencies;
    const after = await this.#head();
    const records = await missed.readStored(after, CHUNK);
    const isHeld = await this.#append(after, records);
    const more = records.length === CHUNK && !isHeld;
    if (!more && !isHeld) await sql.query(SET_COMPLETE, []);
    return more;
  }

  /**
   * For readers who know that something is recorded, which may not be published yet. Calls until it begins share it. While EventStoreDB
   * cannot be reached, the copy stays as it is.
   */
  bringUpToDate(): Promise<void> {
    this.#waiting ??= this.#turn.then(() => {
      this.#waiting = null;
      return this.#copyChunks();
    });
    this.#turn = this.#waiting.catch(() => undefined);
    return this.#waiting;
  }

  async #copyChunks(): Promise<void> {
    try {
      for (let chunks = 0; chunks < MOST_CHUNKS && (await this.copyNext()); chunks++);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  async #head(): Promise<number> {
    const [head] = await this.#dependencies.sql.query<{ position: string }>(READ_HEAD, []);
    return Number(head?.position ?? 0);
  }

  /** @returns whether the copy is locked: then not all records were inserted */
  async #append(after: number, records: readonly StoredRecord[]): Promise<boolean> {
    let before = after;
    for (const slice of slicesOf(records)) {
      const last = slice.at(-1)?.position ?? before;
      const rows = JSON.stringify(slice.map(rowOfStored));
      const [turn] = await this.#dependencies.sql.query<{ is_held: boolean }>(APPEND, [before, last, rows]);
      if (turn?.is_held) return true;
      before = last;
    }
    return false;
  }
}

/** Chunks for one statement each, in order. */
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
