/** The first difference of two JSON values; undefined marks a missing value. */
interface Difference {
  /** For example `.streaks.held[2]`; empty if the whole value differs. */
  readonly path: string;
  readonly stored: unknown;
  readonly expected: unknown;
}

/** @returns null if the values are equal. Numbers that are written differently count as different. */
export function firstDifference(stored: unknown, expected: unknown, path = ''): Difference | null {
  if (Object.is(stored, expected)) return null;
  if (Array.isArray(stored) && Array.isArray(expected))
    return differenceAt(stored, expected, longer(stored, expected).keys(), (place) => `${path}[${place}]`);
  if (isObject(stored) && isObject(expected))
    return differenceAt(stored, expected, Object.keys({ ...stored, ...expected }), (name) => `${path}.${name}`);
  return { path, stored, expected };
}

function differenceAt(
  stored: object,
  expected: object,
  places: Iterable<string | number>,
  pathOf: (place: string | number) => string,
): Difference | null {
  for (const place of places) {
    const valueIn = (object: object): unknown => (object as Record<string | number, unknown>)[place];
    const difference = firstDifference(valueIn(stored), valueIn(expected), pathOf(place));
    if (difference !== null) return difference;
  }
  return null;
}

const longer = (one: readonly unknown[], other: readonly unknown[]): readonly unknown[] =>
  one.length < other.length ? other : one;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a value in a finding; null if there is no value. */
export const shownValue = (value: unknown): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
