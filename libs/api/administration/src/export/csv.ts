import { writeJson } from '@laurel/schemas';

/** A spreadsheet interprets such a text as a formula, even after blanks. It treats wide characters like narrow ones. */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** A field that must be quoted (RFC 4180), or whose blanks some readers would remove. */
const QUOTED = /[",\r\n]|^\s|\s$/u;

/** A line of CSV with its CRLF: the fields of the row by name, in the order of `columns`. */
export const csvLine = (columns: readonly string[], row: object): string =>
  `${columns.map((column) => field((row as Readonly<Record<string, unknown>>)[column])).join(',')}\r\n`;

/** The header line of CSV. */
export const csvHeader = (columns: readonly string[]): string => `${columns.join(',')}\r\n`;

/** null becomes an empty field. Other values that are not strings become JSON: a number cannot be a formula. */
function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoted(FORMULA.test(value) ? `'${value}` : value);
  return quoted(writeJson(value));
}

const quoted = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
