import type { Row } from '@laurel/contracts';
import type { Column } from '../storage/table-columns.ts';

/** Rows as `COPY` reads them, in pieces of about a MiB. Each value is what `json_populate_recordset` would read. */
export function copyText(columns: readonly Column[], rows: readonly Row[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let text = '';
  for (const row of rows) {
    for (let index = 0; index < columns.length; index++) {
      const { name, isJson } = columns[index] as Column;
      text += (index === 0 ? '' : '\t') + valueText(row[name], isJson);
    }
    text += '\n';
    if (text.length < PIECE_LENGTH) continue;
    pieces.push(Buffer.from(text));
    text = '';
  }
  if (text !== '') pieces.push(Buffer.from(text));
  return pieces;
}

const PIECE_LENGTH = 2 ** 20;

function valueText(value: unknown, isJson: boolean): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string' && !isJson) return escaped(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return escaped(JSON.stringify(value));
}

const escaped = (text: string): string => (SPECIAL.test(text) ? text.replaceAll(EACH_SPECIAL, ESCAPE) : text);

const SPECIAL = /[\\\t\n\r]/;
const EACH_SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const ESCAPE = (character: string): string => ESCAPES[character] as string;
