import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { describeFailure, tail } = await import(new URL('./failures.mjs', import.meta.url).href);

describe('the report of a failed CI step', () => {
  let folder: string;
  let log: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'laurel-ci-test-'));
    log = join(folder, 'tests-1.log');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const described = (lines: number): string[] =>
    describeFailure({ name: 'tests: Types and tests', error: new Error('exit code 0 expected, got 1'), log }, lines);

  it('names its failed tests, each once, and shows the end of its log', () => {
    const jest = [
      'PASS libs/a/src/fine.unit.test.ts',
      '\u001B[31mFAIL\u001B[39m libs/a/src/a.unit.test.ts (5.2 s)',
      '  ● a thing › works',
      '    expect(received).toBe(expected)',
      'Summary of all failing tests',
      '  ● a thing › works',
      'README.md: FAILED: line 27: it prints something else',
      'Tests: 1 failed, 2 passed',
    ];
    writeFileSync(log, `${jest.join('\n')}\n`);
    expect(described(2)).toEqual([
      '--- FAILED: tests: Types and tests: exit code 0 expected, got 1',
      '    FAIL libs/a/src/a.unit.test.ts (5.2 s)',
      '    ● a thing › works',
      '    README.md: FAILED: line 27: it prints something else',
      `--- the last 2 lines of ${log}`,
      '    README.md: FAILED: line 27: it prints something else',
      '    Tests: 1 failed, 2 passed',
    ]);
  });

  it('names at most fifty tests', () => {
    writeFileSync(log, Array.from({ length: 60 }, (_, n) => `  ● a thing › works ${n}`).join('\n'));
    const lines = described(1);
    expect(lines.slice(49, 53)).toEqual([
      '    ● a thing › works 48',
      '    ● a thing › works 49',
      '    and 10 more',
      `--- the last 1 lines of ${log}`,
    ]);
  });

  it('exists even if the step wrote no log', () => {
    expect(tail(log, 80)).toEqual([]);
    expect(described(60)[0]).toBe('--- FAILED: tests: Types and tests: exit code 0 expected, got 1');
  });
});
