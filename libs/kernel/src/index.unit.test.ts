import { readFileSync } from 'node:fs';

const MOST_NAMES = 150;

/** The index in its parts, by the comment above each. */
const parts = readFileSync(new URL('index.ts', import.meta.url), 'utf8')
  .split(/^\/\/ /m)
  .slice(1);
const namesIn = (part: string): readonly string[] =>
  [...part.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );

describe('the index of the kernel', () => {
  it('begins with the vocabulary', () => {
    expect(parts[0]).toMatch(/^The vocabulary/);
    expect(parts.flatMap(namesIn).length).toBeGreaterThan(MOST_NAMES);
  });

  it(`exports at most ${MOST_NAMES} names beside the vocabulary`, () => {
    expect(parts.slice(1).flatMap(namesIn).length).toBeLessThanOrEqual(MOST_NAMES);
  });

  it('lists each name', () => {
    expect(parts.join('')).not.toContain('export *');
  });
});
