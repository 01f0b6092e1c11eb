import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { scripts } = JSON.parse(readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const suites = Object.keys(scripts).filter((name) => scripts[name]?.includes('jest/bin/jest.js'));

describe('a script that runs a suite', () => {
  it.each(suites)('installs and builds first, so that a fresh clone needs nothing else: %s', (name) => {
    expect(scripts[`pre${name}`]).toMatch(
      /^node tools\/ensure-installed\.mjs --all && node tools\/ensure-built\.mjs\b/,
    );
  });

  it('exists for each configuration of jest', () => {
    expect(suites).toContain('test');
    expect(suites.length).toBeGreaterThanOrEqual(7);
  });
});
