/** More names than this are not searched: a document full of mistakes must not cost a comparison of all with all. */
const MOST_CANDIDATES = 500;
const LONGEST_NAME = 64;

/**
 * The candidate that was probably meant, or null if none is near: at most one edit for every three characters of the candidate.
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

/** How many insertions, deletions, replacements and swaps of neighbours turn `a` into `b`; null: more than `most`. */
export function distanceWithin(most: number, a: string, b: string): number | null {
  if (Math.abs(a.length - b.length) > most) return null;
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = nextRow(a, b, row, most, above, before);
    before = above;
    above = current;
    // A swap reaches over one row: nothing within the limit is left only if both are beyond it.
    if (isBeyond(above, most) && isBeyond(before, most)) return null;
  }
  const distance = at(above, b.length);
  return distance <= most ? distance : null;
}

/** Cells further than `most` from the diagonal cannot be on the way to an allowed distance; they are left out. */
function nextRow(
  a: string,
  b: string,
  row: number,
  most: number,
  above: readonly number[],
  before: readonly number[],
): readonly number[] {
  const current: number[] = [];
  if (row <= most) current[0] = row;
  const last = Math.min(b.length, row + most);
  for (let column = Math.max(1, row - most); column <= last; column++) {
    const replaced = at(above, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
    const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    const swapped = isSwap ? at(before, column - 2) + 1 : Infinity;
    current[column] = Math.min(at(above, column) + 1, at(current, column - 1) + 1, replaced, swapped);
  }
  return current;
}

const isBeyond = (row: readonly number[], most: number): boolean => row.every((distance) => distance > most);

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;

/** ` (did you mean 'metric'?)`; nothing for null. */
export const suggested = (near: string | null): string => (near === null ? '' : ` (did you mean '${near}'?)`);

/** {@link suggested} for the nearest of the candidates. */
export type Suggest = (name: string, candidates: Iterable<string>) => string;

const MOST_SUGGESTIONS = 100;

/** For one document or batch: only the first hundred names are compared, so that one full of mistakes stays cheap to refuse. */
export function createSuggest(): Suggest {
  let left = MOST_SUGGESTIONS;
  return (name, candidates) => {
    return suggested(left-- > 0 ? nearName(name, candidates) : null);
  };
}
