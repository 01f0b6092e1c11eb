import { formatInstant, type Instant } from '@laurel/calendar';
import type { SqlReader } from '@laurel/kernel';

/** How often the activity of an open import is noted. */
const NOTE_MS = 5_000;

/** If several gateways try at once, one opens the import. A later record of the log replaces an earlier one. */
const OPEN = `
insert into imports as present (account, open, last_at, opened_at, position, opened_by, reason, outgoing)
values ($1, true, $2, $2, $3, $4, $5, $6)
on conflict (account) do update set open = true, last_at = excluded.last_at, opened_at = excluded.opened_at,
  position = excluded.position, opened_by = excluded.opened_by, reason = excluded.reason, outgoing = excluded.outgoing
where not present.open or coalesce(present.position, 0) < excluded.position
returning account`;

const FIND_OPEN = `
select coalesce(opened_at, last_at) as opened_at, last_at, position, opened_by, reason, outgoing from imports where account = $1 and open`;

const GOES_ON = 'update imports set last_at = $2 where account = $1 and open returning account';

/** The record that opened an import. */
export interface ImportOpening {
  /** null if not known: an earlier release opened the import, or only the log has it. */
  readonly position: number | null;
  readonly by: string | null;
  readonly reason: string | null;
  /** Whether its events make outcomes; false if not known. */
  readonly outgoing: boolean;
}

const UNKNOWN_OPENING: ImportOpening = { position: null, by: null, reason: null, outgoing: false };

/** Open imports, shared by all ingestion gateways for the sweep. The log has the same as recorded events, which are recorded first. */
export class Imports {
  readonly #sql: SqlReader;
  readonly #notedAt = new Map<string, Instant>();

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  /** Notes the activity of an import if one is open. Returns whether one is. */
  async goesOn(account: string, at: Instant): Promise<boolean> {
    const noted = this.#notedAt.get(account);
    if (noted !== undefined && at - noted < NOTE_MS && at >= noted) return true;
    const isOpen = returnedRows(await this.#sql.query(GOES_ON, [account, formatInstant(at)])).length > 0;
    if (isOpen) this.#notedAt.set(account, at);
    return isOpen;
  }

  /** Returns whether the import was closed before. */
  async open(account: string, at: Instant, { position, by, reason, outgoing } = UNKNOWN_OPENING): Promise<boolean> {
    const rows = await this.#sql.query(OPEN, [account, formatInstant(at), position, by, reason, outgoing]);
    const opened = rows.length > 0;
    this.#notedAt.set(account, at);
    return opened;
  }

  /** Returns whether an import was open. */
  async close(account: string): Promise<boolean> {
    this.#notedAt.delete(account);
    const rows = await this.#sql.query(
      'update imports set open = false where account = $1 and open returning account',
      [account],
    );
    return returnedRows(rows).length > 0;
  }

  async isOpen(account: string): Promise<boolean> {
    return (await this.#sql.query('select from imports where account = $1 and open', [account])).length > 0;
  }

  /** The open import; `lastAt` may be {@link NOTE_MS} behind. null if none is open. */
  async findOpen(
    account: string,
  ): Promise<(ImportOpening & { readonly openedAt: Instant; readonly lastAt: Instant }) | null> {
    const [row] = await this.#sql.query<OpenRow>(FIND_OPEN, [account]);
    if (row === undefined) return null;
    const { opened_at, last_at, position, opened_by: by, reason, outgoing } = row;
    return {
      openedAt: opened_at.getTime(),
      lastAt: last_at.getTime(),
      by,
      reason,
      outgoing,
      position: position === null ? null : Number(position),
    };
  }

  /** Accounts whose open import has sent nothing since `before`. */
  async idle(before: Instant): Promise<readonly string[]> {
    const rows = await this.#sql.query<{ account: string }>('select account from imports where open and last_at < $1', [
      formatInstant(before),
    ]);
    return rows.map(({ account }) => account);
  }
}

interface OpenRow {
  readonly opened_at: Date;
  readonly last_at: Date;
  readonly position: string | null;
  readonly opened_by: string | null;
  readonly reason: string | null;
  readonly outgoing: boolean;
}

/** The driver returns the rows of an update together with their count. */
const returnedRows = (rows: readonly unknown[]): readonly unknown[] => (Array.isArray(rows[0]) ? rows[0] : rows);
