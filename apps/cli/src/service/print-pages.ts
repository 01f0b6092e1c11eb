import type { CommandContext } from '../command-context.ts';
import type { AnswerOptions } from './service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';

/** Most rows per request. */
const PAGE = 40;

export interface ListOptions extends AnswerOptions {
  readonly limit: number;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface PagedList<Row> {
  readonly header: readonly string[];
  readonly rowOf: (row: Row) => readonly string[];
  /** Printed instead of a table without rows. */
  readonly none?: string;
  readonly rowsPerPage?: number;
  readonly ask: (request: PageRequest) => Promise<Page<Row>>;
}

/** Prints the first rows of a list: with `--json` one line per row as it arrives, otherwise a table at the end. */
export async function printPages<Row>(
  { limit, json }: ListOptions,
  { stdout }: CommandContext,
  { header, rowOf, none = 'there are none', rowsPerPage = PAGE, ask }: PagedList<Row>,
): Promise<void> {
  const rows: (readonly string[])[] = [];
  for await (const found of pages(limit, ask, rowsPerPage)) {
    if (json) await print(stdout, found.map(jsonLine).join(''));
    else rows.push(...found.map(rowOf));
  }
  if (!json) await printLines(stdout, rows.length === 0 ? [none] : table(header, rows));
}

/** The first `limit` rows of a list, a page at a time. A page may hold fewer rows than requested, or none. */
export async function* pages<Row>(
  limit: number,
  ask: (request: PageRequest) => Promise<Page<Row>>,
  rowsPerPage = PAGE,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  for (let left = limit; left > 0;) {
    const { rows, next } = await ask({ limit: Math.min(rowsPerPage, left), ...(cursor !== undefined && { cursor }) });
    if (rows.length > 0) yield rows;
    if (next === null) return;
    left -= rows.length;
    cursor = next;
  }
}
