import { writeJson } from '@laurel/schemas';

/** By this a spreadsheet takes a text for a formula, also behind blanks; the wide forms are taken for the narrow ones. */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** Matches a field that has to be quoted (RFC 4180), or whose blanks some readers would strip. */
const QUOTED = /[",\r\n]|^\s|\s$/u;

/** A line of CSV with its CRLF: the fields of the row by name, in the order of `columns`. */
export const csvLine = (columns: readonly string[], row: object): string =>
  `${columns.map((column) => field((row as Readonly<Record<string, unknown>>)[column])).join(',')}\r\n`;

/** The line that names the columns. */
export const csvHeader = (columns: readonly string[]): string => `${columns.join(',')}\r\n`;

/** null is empty. Anything but a string is written as JSON; a number can do no harm. */
function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoted(FORMULA.test(value) ? `'${value}` : value);
  return quoted(writeJson(value));
}

const quoted = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
