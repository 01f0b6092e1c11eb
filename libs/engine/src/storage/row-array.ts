import type { Row } from '@laurel/kernel';
import type { Column } from './table-columns.ts';

/**
 * Encodes rows as an array of a table's row type, in Postgres's text form: half as long as JSON, and parsed in half the
 * time. Each value becomes what `json_populate_recordset` would make of it.
 * @param columns all columns of the table, in order
 */
export function rowArray(columns: readonly Column[], rows: readonly Row[]): string {
  let text = '{';
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] as Row;
    text += place === 0 ? '"(' : ',"(';
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as Column;
      const value = row[column.name];
      if (index > 0) text += ',';
      // An empty field is null.
      if (value !== null && value !== undefined)
        text += column.isPlain ? String(value as number) : valueText(value, column);
    }
    text += ')"';
  }
  return `${text}}`;
}

const valueText = (value: unknown, { isJson }: Column): string =>
  quoted(typeof value === 'string' && !isJson ? value : JSON.stringify(value));

/** Quoted once for the row, and again for the array. */
function quoted(text: string): string {
  if (PLAIN.test(text)) return text;
  return `\\"${SPECIAL.test(text) ? text.replaceAll(EACH_SPECIAL, escaped) : text}\\"`;
}

const PLAIN = /^[\w.:-]+$/;
const SPECIAL = /["\\]/;
const EACH_SPECIAL = /["\\]/g;
const escaped = (character: string): string => (character === '"' ? '\\"\\"' : '\\\\\\\\');
