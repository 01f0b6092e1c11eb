/** More names than this are not searched: a document full of mistakes must not cost a comparison of all with all. */
const MOST_CANDIDATES = 500;
const LONGEST_NAME = 64;

/** The candidate that was probably meant, or null if none is near: at most one edit for every three characters. */
export function nearName(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST_NAME) return null;
  const near = [...candidates]
    .slice(0, MOST_CANDIDATES)
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate ?? null;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) row.push(cheapestEdit(a, b, i, j, rows, row));
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

function cheapestEdit(a: string, b: string, i: number, j: number, rows: readonly number[][], row: readonly number[]) {
  const cell = (up: number, left: number) => rows[i - up]?.[j - left] ?? Infinity;
  const replaced = cell(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? cell(2, 2) + 1 : Infinity;
  return Math.min(cell(1, 0) + 1, (row[j - 1] ?? Infinity) + 1, replaced, swapped);
}

/** ` (did you mean 'metric'?)`, or nothing. */
export type Suggest = (name: string, candidates: Iterable<string>) => string;

const MOST_SUGGESTIONS = 100;

/** One for each document: after a hundred suggestions it keeps silent, so that a broken document stays cheap to refuse. */
export function createSuggest(): Suggest {
  let left = MOST_SUGGESTIONS;
  return (name, candidates) => {
    const near = left-- > 0 ? nearName(name, candidates) : null;
    return near === null ? '' : ` (did you mean '${near}'?)`;
  };
}
