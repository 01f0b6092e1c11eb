import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { contextFiles, isIgnored, readIgnore } = await import(new URL('./docker-context.mjs', import.meta.url).href);

const ignored = (path: string, ...patterns: string[]): boolean => isIgnored(path, readIgnore(patterns.join('\n')));

describe('.dockerignore', () => {
  it.each([
    ['a pattern is for the whole path', 'a/b', ['b'], false],
    ['a folder holds what is below it', 'a/b/c', ['a'], true],
    ['* stays within a folder', 'a/b', ['a/*'], true],
    ['* does not reach deeper', 'a/b/c.txt', ['*/c.txt'], false],
    ['** reaches any depth', 'a/b/node_modules/x.js', ['**/node_modules'], true],
    ['** reaches no depth as well', 'node_modules/x.js', ['**/node_modules'], true],
    ['? is one character', 'ab', ['a?'], true],
    ['a dot is a dot', 'axjs', ['a.js'], false],
    ['the last pattern that fits decides', 'apps/cli/x.ts', ['*', '!apps'], false],
    ['and the one behind it over it', 'apps/cli/x.test.ts', ['*', '!apps', '**/*.test.ts'], true],
    ['a comment is none', '# x', ['# x'], false],
  ])('%s', (_, path, patterns, expected) => {
    expect(ignored(path, ...patterns)).toBe(expected);
  });

  it('refuses forms that it does not know', () => {
    for (const pattern of ['a[bc]', 'a\\*', '../x']) expect(() => readIgnore(pattern)).toThrow('not known here');
  });
});

describe('what is sent to the builder', () => {
  const root = mkdtempSync(join(tmpdir(), 'docker-context-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('is every file that is not ignored, also below a folder of which only that is wanted', () => {
    const files = [
      'package.json',
      '.env',
      'apps/a/src/a.ts',
      'apps/a/src/a.test.ts',
      'apps/a/dist/a.js',
      'docker/x.mjs',
      'docker/y.mjs',
      'docs/d.md',
    ];
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '');
    }
    const patterns = readIgnore('*\n!package.json\n!apps\n!docker/x.mjs\n**/dist\n**/*.test.ts\n');
    expect(contextFiles(root, patterns).sort()).toEqual(['apps/a/src/a.ts', 'docker/x.mjs', 'package.json']);
  });
});
