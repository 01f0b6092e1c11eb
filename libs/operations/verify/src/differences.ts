/** Where two JSON values first differ, and what stands there; undefined: nothing. */
export interface Difference {
  /** `.streaks.held[2]`; empty: the whole value. */
  readonly path: string;
  readonly stored: unknown;
  readonly expected: unknown;
}

/** null: they are equal. Numbers that are written differently are not the same here. */
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
    const [is, must] = [stored, expected].map((value) => (value as Record<string | number, unknown>)[place]);
    const difference = firstDifference(is, must, pathOf(place));
    if (difference !== null) return difference;
  }
  return null;
}

const longer = (one: readonly unknown[], other: readonly unknown[]): readonly unknown[] =>
  one.length < other.length ? other : one;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As a finding shows it; null: there is nothing. */
export const shownValue = (value: unknown): string | null => {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};
