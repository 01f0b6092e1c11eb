/** A document full of mistakes must not cost a comparison of all names with all others. */
const MOST_CANDIDATES = 500;
const LONGEST_NAME = 64;

/**
 * The candidate that the caller probably meant: one at most one edit away for every three characters of it; null if there is none.
 * Case does not count. Looks at the first 500 candidates.
 */
export function nearName(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST_NAME) return null;
  const wanted = name.toLowerCase();
  let left = MOST_CANDIDATES;
  let near: { readonly candidate: string; readonly distance: number } | null = null;
  for (const candidate of candidates) {
    if (left-- === 0) break;
    const allowed = near === null ? tolerance(candidate) : Math.min(tolerance(candidate), near.distance - 1);
    const distance = distanceWithin(allowed, wanted, candidate.toLowerCase());
    if (distance !== null) near = { candidate, distance };
    if (distance === 0) break;
  }
  return near?.candidate ?? null;
}

const tolerance = ({ length }: string): number => Math.max(1, Math.floor(length / 3));

/** How many insertions, deletions, replacements and swaps of neighbours turn `a` into `b`; null if more than `most`. */
export function distanceWithin(most: number, a: string, b: string): number | null {
  if (Math.abs(a.length - b.length) > most) return null;
  const rows: Rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  while (rows.length <= a.length) {
    rows.push(nextRow(a, b, most, rows));
    // A swap reaches over one row, so both of the last rows have to exceed the limit.
    if (rows.slice(-2).every((row) => row.every((distance) => distance > most))) return null;
  }
  const distance = at(rows, a.length, b.length);
  return distance <= most ? distance : null;
}

/** The distances between the beginnings of two words: of `a` by row, of `b` by column. */
type Rows = (readonly number[])[];

const at = (rows: Rows, row: number, column: number): number => rows[row]?.[column] ?? Infinity;

/** Leaves out the cells further than `most` from the diagonal: no allowed distance passes through them. */
function nextRow(a: string, b: string, most: number, rows: Rows): readonly number[] {
  const row = rows.length;
  const current: number[] = [];
  if (row <= most) current[0] = row;
  const last = Math.min(b.length, row + most);
  for (let column = Math.max(1, row - most); column <= last; column++) {
    const replaced = at(rows, row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
    const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    const swapped = isSwap ? at(rows, row - 2, column - 2) + 1 : Infinity;
    const inserted = (current[column - 1] ?? Infinity) + 1;
    current[column] = Math.min(at(rows, row - 1, column) + 1, inserted, replaced, swapped);
  }
  return current;
}

/** ` (did you mean 'metric'?)`; nothing for null. */
export const suggested = (near: string | null): string => (near === null ? '' : ` (did you mean '${near}'?)`);

/** {@link suggested} for the nearest of the candidates. */
export type Suggest = (name: string, candidates: Iterable<string>) => string;

const MOST_SUGGESTIONS = 100;

/**
 * A {@link Suggest} for one document or batch. Compares only the first hundred names, so that a request full of
 * mistakes stays cheap to refuse.
 */
export function createSuggest(): Suggest {
  let left = MOST_SUGGESTIONS;
  return (name, candidates) => suggested(left-- > 0 ? nearName(name, candidates) : null);
}
