import { printable } from './path.ts';
import type { Path } from './path.ts';

/** Something wrong in a document, by its path. `part: 'name'` means the field's name, not its value. */
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
 * The search for faults ends here, at more than anybody reads. A document of 1 MiB may have hundreds of thousands, which take seconds to
 * find and describe.
 */
export const MOST_FAULTS = 1_000;

/** A fault with its place in the file. Line and column count from 1; a column is a UTF-16 code unit, as editors count. */
export interface DocumentProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `points[0].triggers[2].threshold`; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
}

/** The last line after the problems if the search ended early. */
export const MORE_PROBLEMS = `there are more problems: the search stopped after ${MOST_FAULTS}`;

/** `FILE:LINE:COLUMN path: message`, a line each, and a line that there are `more`. Safe to print: nothing from the document can steer the terminal. */
export function formatProblems(problems: readonly DocumentProblem[], more = false): string {
  return [...problems.map(formatProblem), ...(more ? [MORE_PROBLEMS] : [])].join('\n');
}

function formatProblem({ file, line, column, path, message }: DocumentProblem): string {
  return printable(`${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`);
}
