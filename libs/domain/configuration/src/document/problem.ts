import { printable } from './path.ts';
import type { Path } from './path.ts';

/** A fault in a document, located by its path. `part: 'name'` locates the field's name instead of its value. */
export interface Fault {
  readonly path: Path;
  readonly part: 'name' | 'value';
  /** The expected and the found value. */
  readonly message: string;
}

export function valueFault(path: Path, message: string): Fault {
  return { path, part: 'value', message };
}

/**
 * Most faults that the search reports, more than anybody reads. A document of 1 MiB may have hundreds of thousands,
 * which take seconds to find and describe.
 */
export const MOST_FAULTS = 1_000;

/** A fault with its place in the file. Line and column count from 1; a column is a UTF-16 code unit, as editors count. */
export interface DocumentProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** For example `points[0].triggers[2].threshold`; empty for the whole document. */
  readonly path: string;
  readonly message: string;
}

/** The last line after the problems if the search ended early. */
export const MORE_PROBLEMS = `there are more problems: the search stopped after ${MOST_FAULTS}`;

/**
 * Formats problems as `FILE:LINE:COLUMN path: message`, one per line, with a last line if there are `more`. Safe to
 * print: nothing in the document can control the terminal.
 */
export function formatProblems(problems: readonly DocumentProblem[], more = false): string {
  return [...problems.map(formatProblem), ...(more ? [MORE_PROBLEMS] : [])].join('\n');
}

function formatProblem({ file, line, column, path, message }: DocumentProblem): string {
  return printable(`${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`);
}
