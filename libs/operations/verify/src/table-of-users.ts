import {
  keyText,
  mergedRows,
  storedRows,
  type AreaTable,
  type ConfiguredNames,
  type Row,
  type SqlReader,
  type Subject,
} from '@laurel/kernel';
import { firstDifference, shownValue } from './differences.ts';

/** Rows are compared up to here: all rows of users before the subject, and rows of the subject up to the position. */
interface Bound {
  readonly subject: Subject;
  readonly position: number;
}

/** A difference between a stored and an expected row. */
export interface RowFinding {
  /** null for a counter. */
  readonly subject: Subject | null;
  /** The position of the row's event; null if it belongs to no single event. */
  readonly position: number | null;
  readonly what: string;
  readonly stored: string | null;
  readonly expected: string | null;
}

/** Receives the findings of one table. */
export interface Hearer {
  readonly onFinding: (finding: RowFinding) => void;
  /** There are further differences that are not reported. */
  readonly onMore: () => void;
}

/** Member that holds the position of the row's event; no column has this name. */
const EVENT = '$event';

/** Most stored rows in memory, and most expected rows in a statement. */
const PAGE = 1_000;

/** Unexpected rows that are kept to pair them with missing ones. */
const MOST_ODD = 100;

interface StoredRow {
  readonly subject: Subject;
  readonly position: number | null;
  readonly text: string;
}

/**
 * Compares a table with rows of users with the rows that folds give. Both sides come in the order of the users, so only a page of each, and
 * the rows of one user, are in memory.
 */
export class TableOfUsers {
  readonly table: AreaTable;
  readonly #sql: SqlReader;
  /** Columns that are not compared. */
  readonly #without: readonly string[];
  readonly #key: readonly string[];
  /** Every row names its event, so not even the rows of one user have to be kept in memory. */
  readonly #byPosition: boolean;
  #expected: Row[] = [];
  #own: Row[] = [];
  #stored: StoredRow[] = [];
  #isAtEnd = false;

  private constructor(
    sql: SqlReader,
    table: AreaTable,
    without: readonly string[],
    { key, byPosition }: { readonly key: readonly string[]; readonly byPosition: boolean },
  ) {
    this.#sql = sql;
    this.table = table;
    this.#without = without;
    this.#key = key;
    this.#byPosition = byPosition;
  }

  /** @param sql a transaction, in which a cursor is declared */
  static async open(sql: SqlReader, table: AreaTable, without: readonly string[] = []): Promise<TableOfUsers> {
    const { name } = table;
    const columns = await sql.query<{ name: string; is_key: boolean }>(COLUMNS, [name]);
    const isMerged = table.merge !== undefined && table.merge.withinEvent === undefined;
    const byPosition = !isMerged && columns.some((column) => column.name === 'position');
    const key = columns.filter(({ is_key }) => is_key).map((column) => column.name);
    await sql.query(
      `declare verify_${name} no scroll cursor for
       select subject, ${byPosition ? 'position' : 'null::bigint as position'}, (to_jsonb(t) - '{${without.join(',')}}'::text[])::text as text
       from ${name} t order by subject${byPosition ? ', position' : ''}`,
      [],
    );
    return new TableOfUsers(sql, table, without, { key, byPosition });
  }

  /** Takes rows that the fold of a user gave at the event at this position; users and their events come in order. */
  expect(rows: readonly Row[], position: number): void {
    for (const row of rows) this.#own.push({ ...row, [EVENT]: position });
  }

  /**
   * Removes expected rows of the current user, by the columns of `AreaTable.replacedBy`. Only for a table that merges
   * rows.
   */
  drop(rows: readonly Row[]): void {
    const { replacedBy = [] } = this.table;
    const gone = new Set(rows.map((row) => keyText(replacedBy, row)));
    if (gone.size > 0) this.#own = this.#own.filter((row) => !gone.has(keyText(replacedBy, row)));
  }

  /** No further rows of this user will come. */
  endUser(): void {
    for (const row of storedRows(this.table, mergedRows(this.table, this.#own))) this.#expected.push(row);
    this.#own = [];
  }

  /** Drops the expected rows of a user who cannot be folded. */
  forgetUser(subject: Subject): void {
    this.#own = [];
    this.#expected = this.#expected.filter((row) => row['subject'] !== subject);
  }

  /**
   * Compares all rows up to the bound.
   * @param bound null for all remaining rows
   * @param isUnknown whether a user could not be folded, so that nothing is expected of their rows
   */
  async compare(
    bound: Bound | null,
    names: ConfiguredNames,
    isUnknown: (subject: Subject) => boolean,
    { onFinding, onMore }: Hearer,
  ): Promise<void> {
    // Merging rows on the same key keeps a user with many events small in memory.
    if (this.#byPosition) this.endUser();
    else this.#own = [...mergedRows(this.table, this.#own)];
    const missing = await this.#canonical(this.#expected);
    this.#expected = [];
    const odd: StoredRow[] = [];
    for await (const row of this.#storedUpTo(bound)) {
      if (isUnknown(row.subject)) continue;
      if (missing.get(row.text)?.pop() !== undefined) continue;
      if (odd.length < MOST_ODD) odd.push(row);
      else onMore();
    }
    const absent = [...missing].flatMap(([text, positions]) => positions.map((position) => ({ text, position })));
    for (const finding of paired(odd, absent, this.#key, names)) onFinding(finding);
  }

  /** The positions by the text that the table would hold for each row. */
  async #canonical(rows: readonly Row[]): Promise<Map<string, number[]>> {
    const byText = new Map<string, number[]>();
    for (let from = 0; from < rows.length; from += PAGE) {
      const page = rows.slice(from, from + PAGE);
      const texts = await this.#sql.query<{ text: string }>(
        `select (to_jsonb(jsonb_populate_record(null::${this.table.name}, v)) - $2::text[])::text as text
         from jsonb_array_elements($1::jsonb) with ordinality as given (v, place) order by place`,
        [JSON.stringify(page), this.#without],
      );
      for (const [place, { text }] of texts.entries()) {
        const position = page[place]?.[EVENT] as number;
        const same = byText.get(text);
        if (same) same.push(position);
        else byText.set(text, [position]);
      }
    }
    return byText;
  }

  async *#storedUpTo(bound: Bound | null): AsyncGenerator<StoredRow, void> {
    for (;;) {
      if (this.#stored.length === 0) await this.#fetch();
      let taken = 0;
      for (const row of this.#stored) {
        if (!this.#isWithin(row, bound)) break;
        taken++;
        yield row;
      }
      const isCut = taken < this.#stored.length;
      this.#stored.splice(0, taken);
      if (isCut || this.#isAtEnd) return;
    }
  }

  #isWithin({ subject, position }: StoredRow, bound: Bound | null): boolean {
    if (bound === null || subject < bound.subject) return true;
    return subject === bound.subject && position !== null && position <= bound.position;
  }

  async #fetch(): Promise<void> {
    if (this.#isAtEnd) return;
    const rows = await this.#sql.query<{ subject: string; position: string | null; text: string }>(
      `fetch ${PAGE} from verify_${this.table.name}`,
      [],
    );
    this.#isAtEnd = rows.length < PAGE;
    this.#stored = rows.map(({ subject, position, text }) => ({
      subject: Number(subject),
      position: position === null ? null : Number(position),
      text,
    }));
  }
}

/** $1: a table. */
const COLUMNS = `
  select attname as name, coalesce(attnum = any(i.indkey), false) as is_key
  from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`;

interface ExpectedRow {
  readonly row: Row;
  readonly position: number;
}

/** Pairs a stored and an expected row with the same key into one finding. */
function* paired(
  stored: readonly StoredRow[],
  expected: readonly { readonly text: string; readonly position: number }[],
  key: readonly string[],
  names: ConfiguredNames,
): Generator<RowFinding> {
  const keyOf = (row: Row): string => JSON.stringify(key.map((column) => row[column]));
  const byKey = new Map<string, ExpectedRow>();
  const rest: ExpectedRow[] = [];
  for (const { text, position } of expected) {
    const row = JSON.parse(text) as Row;
    if (key.length > 0 && byKey.size < MOST_ODD) byKey.set(keyOf(row), { row, position });
    else rest.push({ row, position });
  }
  for (const { subject, position, text } of stored) {
    const row = JSON.parse(text) as Row;
    const of = described(row, key, names);
    const other = byKey.get(keyOf(row));
    if (other === undefined) {
      yield { subject, position, what: `the row${of}`, stored: valuesOf(row, key), expected: null };
      continue;
    }
    byKey.delete(keyOf(row));
    const difference = firstDifference(row, other.row);
    const what = `${difference?.path.replace(/^\./, '') ?? 'the row'}${of}`;
    const [is, must] = [shownValue(difference?.stored), shownValue(difference?.expected)];
    yield { subject, position: other.position, what, stored: is, expected: must };
  }
  for (const { row, position } of [...byKey.values(), ...rest]) {
    const what = `the row${described(row, key, names)}`;
    yield { subject: row['subject'] as Subject, position, what, stored: null, expected: valuesOf(row, key) };
  }
}

/** Names the columns of the key that tell rows of one user apart. */
function described(row: Row, key: readonly string[], names: ConfiguredNames): string {
  const telling = key.filter((column) => !['account', 'subject', 'position'].includes(column));
  const values = telling.map((column) => `${column} ${nameOf(column, row, names)}`);
  return values.length === 0 ? '' : ` of ${values.join(', ')}`;
}

const KINDS: Readonly<Record<string, 'metrics' | 'systems' | 'achievements' | 'boards' | undefined>> = {
  metric: 'metrics',
  system: 'systems',
  achievement: 'achievements',
  board: 'boards',
};

function nameOf(column: string, row: Row, names: ConfiguredNames): string {
  const [value, kind] = [row[column], KINDS[column]];
  if (kind === undefined || typeof value !== 'number') return shownValue(value) ?? 'nothing';
  return names[kind].all[value - 1] ?? `number ${value}`;
}

function valuesOf(row: Row, key: readonly string[]): string {
  const values = Object.entries(row).filter(([column]) => column !== 'subject' && !key.includes(column));
  return values.length === 0 ? 'there' : JSON.stringify(Object.fromEntries(values));
}
