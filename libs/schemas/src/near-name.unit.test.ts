import fc from 'fast-check';
import { createSuggest, nearName } from './near-name.ts';

describe('the nearest name', () => {
  it.each([
    ['metrc', 'metric'],
    ['mertic', 'metric'],
    ['Metric', 'metric'],
    ['levles', 'levels'],
    ['pointSystem', 'pointsSystem'],
  ])('to %s is %s', (name, expected) => {
    expect(nearName(name, ['metric', 'levels', 'pointsSystem', 'run'])).toBe(expected);
  });

  it('is null if too much differs', () => {
    expect(nearName('banana', ['metric', 'levels'])).toBeNull();
    expect(nearName('x', [])).toBeNull();
  });

  it('is the closest of several candidates', () => {
    expect(nearName('weekly2', ['weekly-xp', 'weekly'])).toBe('weekly');
  });

  it('is not suggested after a hundred suggestions', () => {
    const suggest = createSuggest();
    const said = Array.from({ length: 150 }, () => suggest('metrc', ['metric']));
    expect(said.filter((text) => text !== '')).toHaveLength(100);
  });

  it('is searched among at most 500 names for each of the first hundred, and not at all afterwards', () => {
    let looked = 0;
    function* names() {
      for (let index = 0; ; index++) {
        looked++;
        yield `name-${index}`;
      }
    }
    const suggest = createSuggest();
    const seen = Array.from({ length: 150 }, () => {
      looked = 0;
      suggest('something else', names());
      return looked;
    });
    expect(Math.max(...seen.slice(0, 100))).toBeLessThanOrEqual(501);
    expect(Math.min(...seen.slice(0, 100))).toBeGreaterThanOrEqual(500);
    expect(new Set(seen.slice(100))).toEqual(new Set([0]));
  });

  it('agrees with the edit distance computed by a full table', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(word, word, (name, candidate) => {
        const allowed = Math.max(1, Math.floor(candidate.length / 3));
        expect(nearName(name, [candidate])).toBe(wholeTable(name, candidate) <= allowed ? candidate : null);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Optimal string alignment by its definition. */
function wholeTable(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)];
  const last = a.at(-1) === b.at(-1) ? 0 : 1;
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    remembered(restA, b) + 1,
    remembered(a, restB) + 1,
    remembered(restA, restB) + last,
    isSwap ? remembered(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity,
  );
}

const known = new Map<string, number>();
function remembered(a: string, b: string): number {
  const key = `${a}/${b}`;
  const distance = known.get(key) ?? wholeTable(a, b);
  known.set(key, distance);
  return distance;
}
