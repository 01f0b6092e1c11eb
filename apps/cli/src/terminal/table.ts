import { plainText } from '../plain-text.ts';

const LONGEST_CELL = 60;
const BETWEEN = '  ';

/**
 * Rows in columns below a header, as lines without trailing spaces. Cells may contain anything: they are made safe and
 * shortened.
 */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return columns([header, ...rows].map((row) => row.map((cell) => plainText(cell, LONGEST_CELL))));
}

/** Rows of safe cells in columns, as lines. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, widthOf(cell))),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join(BETWEEN)
      .trimEnd(),
  );
}

/** Number of code points, which is exact enough to align usual keys. */
const widthOf = (text: string): number => [...text].length;

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));
