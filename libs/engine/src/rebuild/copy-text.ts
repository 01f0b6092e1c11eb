import type { Row } from '@laurel/kernel';
import type { Column } from '../storage/table-columns.ts';

/** Encodes rows in the format of `COPY`. Each value becomes what `json_populate_recordset` would make of it. */
export class CopyText {
  readonly #columns: readonly Column[];
  /** Buffers outside the heap, so the garbage collector does not move them as more are added. */
  #chunks: Buffer[] = [];
  #text = '';

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  get isEmpty(): boolean {
    return this.#text === '' && this.#chunks.length === 0;
  }

  add(row: Row): void {
    let text = this.#text;
    const columns = this.#columns;
    for (let index = 0; index < columns.length; index++) {
      if (index > 0) text += '\t';
      text += valueText(row, columns[index] as Column);
    }
    this.#text = `${text}\n`;
    if (text.length >= CHUNK_LENGTH) this.#cut();
  }

  /** Returns everything added and forgets it; the caller owns the buffers. */
  take(): readonly Buffer[] {
    if (this.#text !== '') this.#cut();
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  #cut(): void {
    this.#chunks.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

const CHUNK_LENGTH = 2 ** 15;

function valueText(row: Row, { name, isJson, isPlain }: Column): string {
  const value = row[name];
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'string' && !isJson) return isPlain ? value : escaped(value);
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return escaped(JSON.stringify(value));
}

const escaped = (text: string): string => (SPECIAL.test(text) ? text.replaceAll(EACH_SPECIAL, ESCAPE) : text);

const SPECIAL = /[\\\t\n\r]/;
const EACH_SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const ESCAPE = (character: string): string => ESCAPES[character] as string;
