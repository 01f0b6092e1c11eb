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

/** Up to where rows are compared: those of all users before the subject, and of the subject itself up to the position. */
export interface Bound {
  readonly subject: Subject;
  readonly position: number;
}

/** What a row of a user says that it must not, or does not say. */
export interface RowFinding {
  readonly subject: Subject;
  /** Of the event that the row is of; null: no single one is known. */
  readonly position: number | null;
  readonly what: string;
  readonly stored: string | null;
  readonly expected: string | null;
}

/** Hears what does not fit. */
export interface Hearer {
  readonly onFinding: (finding: RowFinding) => void;
  /** A difference beyond those that are reported. */
  readonly onMore: () => void;
}

/** Which event a row that a fold gives is of; no column is called so. */
const EVENT = '$event';

/** Stored rows in memory, and expected ones in a statement, at a time. */
const PAGE = 1_000;

/** Rows that do not fit which are kept to find out which of them belong together. */
const MOST_ODD = 100;

interface StoredRow {
  readonly subject: Subject;
  readonly position: number | null;
  readonly text: string;
}

/**
 * One table whose rows are of users, compared with what folds give. Both sides come in the order of the users, so a page of each is in
 * memory at a time, and what a user has beyond that only once.
 */
export class TableOfUsers {
  readonly table: AreaTable;
  readonly #sql: SqlReader;
  /** Columns that are not compared. */
  readonly #without: readonly string[];
  readonly #key: readonly string[];
  /** Every row is of one event, and says of which: then not even the rows of one user have to be held. */
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

  /** @param sql a transaction of its own, in which a cursor is declared */
  static async open(sql: SqlReader, table: AreaTable, without: readonly string[] = []): Promise<TableOfUsers> {
    const { name } = table;
    const columns = await sql.query<{ name: string; is_key: boolean }>(COLUMNS, [name]);
    const isMerged = table.merge !== undefined && table.merge.withinEvent === undefined;
    const byPosition = !isMerged && columns.some((column) => column.name === 'position');
    const key = columns.filter(({ is_key }) => is_key).map((column) => column.name);
    await sql.query(
      `declare verify_${name} no scroll cursor for
       select subject, ${byPosition ? 'position' : 'null::bigint as position'}, (to_jsonb(t) - '${pgArray(without)}'::text[])::text as text
       from ${name} t order by subject${byPosition ? ', position' : ''}`,
      [],
    );
    return new TableOfUsers(sql, table, without, { key, byPosition });
  }

  /** Takes rows that the fold of a user gave, of the event at this position; users come in order, their events too. */
  expect(rows: readonly Row[], position: number): void {
    for (const row of rows) this.#own.push({ ...row, [EVENT]: position });
  }

  /** Takes away rows of a user under way that were expected, by the columns of `AreaTable.replacedBy`. Only of a table that merges. */
  drop(rows: readonly Row[]): void {
    const { replacedBy = [] } = this.table;
    const gone = new Set(rows.map((row) => keyText(replacedBy, row)));
    if (gone.size > 0) this.#own = this.#own.filter((row) => !gone.has(keyText(replacedBy, row)));
  }

  /** Nothing more comes of this user. */
  endUser(): void {
    this.#settle();
  }

  /** What was expected of the user is not known after all. */
  forgetUser(subject: Subject): void {
    this.#own = [];
    this.#expected = this.#expected.filter((row) => row['subject'] !== subject);
  }

  /**
   * Compares all rows up to the bound. @param bound null: to the end
   * @param isUnknown users of whom it is not known what must be stored
   */
  async compare(
    bound: Bound | null,
    names: ConfiguredNames,
    isUnknown: (subject: Subject) => boolean,
    { onFinding, onMore }: Hearer,
  ): Promise<void> {
    // Rows on one key become one: else a user with many events would have as many rows here.
    if (this.#byPosition) this.#settle();
    else this.#own = [...mergedRows(this.table, this.#own)];
    const missing = await this.#canonical(this.#expected);
    this.#expected = [];
    const odd: StoredRow[] = [];
    for await (const row of this.#storedUpTo(bound)) {
      if (isUnknown(row.subject)) continue;
      const of = missing.get(row.text);
      const position = of?.pop();
      if (position !== undefined) continue;
      if (odd.length < MOST_ODD) odd.push(row);
      else onMore();
    }
    const absent = [...missing].flatMap(([text, positions]) => positions.map((position) => ({ text, position })));
    for (const finding of paired(odd, absent, this.#key, names)) onFinding(finding);
  }

  #settle(): void {
    for (const row of storedRows(this.table, mergedRows(this.table, this.#own))) this.#expected.push(row);
    this.#own = [];
  }

  /** The positions by the text of each row, as the table would hold it. */
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

const pgArray = (names: readonly string[]): string => `{${names.join(',')}}`;

/** What of the rows belongs together: one that is stored and one that is expected on the same key are one finding. */
function* paired(
  stored: readonly StoredRow[],
  expected: readonly { readonly text: string; readonly position: number }[],
  key: readonly string[],
  names: ConfiguredNames,
): Generator<RowFinding> {
  const keyOf = (row: Row): string => JSON.stringify(key.map((column) => row[column]));
  const byKey = new Map<string, { readonly row: Row; readonly position: number }>();
  const rest: { readonly row: Row; readonly position: number }[] = [];
  for (const { text, position } of expected) {
    const row = JSON.parse(text) as Row;
    if (key.length > 0 && byKey.size < MOST_ODD) byKey.set(keyOf(row), { row, position });
    else rest.push({ row, position });
  }
  for (const { subject, position, text } of stored) {
    const row = JSON.parse(text) as Row;
    const other = key.length > 0 ? byKey.get(keyOf(row)) : undefined;
    if (other === undefined) {
      const what = `the row${described(row, key, names)}`;
      yield { subject, position, what, stored: valuesOf(row, key), expected: null };
      continue;
    }
    byKey.delete(keyOf(row));
    const difference = firstDifference(row, other.row);
    const value = difference?.path.replace(/^\./, '') ?? 'the row';
    yield {
      subject,
      position: other.position,
      what: `${value}${described(row, key, names)}`,
      stored: shownValue(difference?.stored),
      expected: shownValue(difference?.expected),
    };
  }
  for (const { row, position } of [...byKey.values(), ...rest])
    yield {
      subject: row['subject'] as Subject,
      position,
      what: `the row${described(row, key, names)}`,
      stored: null,
      expected: valuesOf(row, key),
    };
}

/** Columns that tell rows of one user apart. */
const telling = (row: Row, key: readonly string[]): readonly string[] =>
  (key.length > 0 ? key : Object.keys(row)).filter((column) => !['account', 'subject', 'position'].includes(column));

function described(row: Row, key: readonly string[], names: ConfiguredNames): string {
  const parts = key.length === 0 ? [] : telling(row, key).map((column) => `${column} ${nameOf(column, row, names)}`);
  return parts.length === 0 ? '' : ` of ${parts.join(', ')}`;
}

const KINDS = { metric: 'metrics', system: 'systems', achievement: 'achievements', board: 'boards' } as const;

function nameOf(column: string, row: Row, names: ConfiguredNames): string {
  const value = row[column];
  const kind = KINDS[column as keyof typeof KINDS] as (typeof KINDS)[keyof typeof KINDS] | undefined;
  if (kind === undefined || typeof value !== 'number') return shownValue(value) ?? 'nothing';
  return names[kind].all[value - 1] ?? `number ${value}`;
}

function valuesOf(row: Row, key: readonly string[]): string {
  const values = Object.entries(row).filter(([column]) => column !== 'subject' && !key.includes(column));
  return values.length === 0 ? 'there' : JSON.stringify(Object.fromEntries(values));
}
