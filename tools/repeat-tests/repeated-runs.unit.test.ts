import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The tools have no types: what they take and give is in their comments.
const { commandOf, failedEvenOnce, stillToRun, testsRun, wholeRuns } = await import(
  new URL('./repeated-runs.mjs', import.meta.url).href
);
const { lawFiles } = await import(new URL('./law-files.mjs', import.meta.url).href);

const ROOT = '/checkout';
const file = (name: string, tests: Readonly<Record<string, string>>, status = 'passed') => ({
  name: `${ROOT}/${name}`,
  status: Object.values(tests).includes('failed') ? 'failed' : status,
  message: '',
  assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
});
const run = (results: readonly unknown[] | null, seed: number | null = null) => ({ seed, results });

describe('the summary of repeated runs', () => {
  it('lists tests that failed in any run, the most frequent first, with the seeds of the runs', () => {
    const runs = [
      run([file('a.test.ts', { one: 'passed', two: 'failed' }), file('b.test.ts', { three: 'failed' })], 11),
      run([file('a.test.ts', { one: 'passed', two: 'passed' }), file('b.test.ts', { three: 'failed' })], 12),
    ];
    expect(failedEvenOnce(runs, ROOT)).toEqual([
      { file: 'b.test.ts', test: 'three', times: 2, seeds: [11, 12] },
      { file: 'a.test.ts', test: 'two', times: 1, seeds: [11] },
    ]);
  });

  it('lists a file that fails outside its tests, and a run without a report', () => {
    expect(failedEvenOnce([run([file('a.test.ts', {}, 'failed')]), run(null)], ROOT)).toEqual([
      { file: 'a.test.ts', test: 'the file itself', times: 1, seeds: [] },
      { file: '', test: 'the whole run: jest ended without a report', times: 1, seeds: [] },
    ]);
  });

  it('lists nothing when everything passed or was skipped', () => {
    expect(failedEvenOnce([run([file('a.test.ts', { one: 'passed', two: 'pending' })])], ROOT)).toEqual([]);
  });

  it('shows the fewest and the most tests that a run executed', () => {
    const long = run([file('a.test.ts', { one: 'passed', two: 'failed', three: 'pending' })]);
    expect(testsRun([long, run([file('a.test.ts', { one: 'passed' })]), long])).toEqual({ fewest: 1, most: 2 });
    expect(testsRun([long, run(null)])).toEqual({ fewest: 0, most: 2 });
  });

  it('joins runs from their parts and gives no results when a part is missing', () => {
    const part = (number: number, of: number, results: readonly unknown[] | null) => ({
      run: of,
      part: number,
      seed: of,
      results,
    });
    const one = file('a.test.ts', { one: 'passed' });
    const two = file('b.test.ts', { two: 'passed', three: 'failed' });
    const done = [part(1, 1, [one]), part(2, 1, [two]), part(1, 2, [one]), part(2, 2, null), part(1, 3, [one])];
    expect(wholeRuns(done, 2)).toEqual([
      { seed: 1, results: [one, two] },
      { seed: 2, results: null },
    ]);
    expect(testsRun(wholeRuns(done.slice(0, 2), 2))).toEqual({ fewest: 3, most: 3 });
  });

  it('continues with the first part that has not run', () => {
    const done = [
      { run: 1, part: 1 },
      { run: 1, part: 2 },
      { run: 2, part: 1 },
    ];
    expect(stillToRun({ times: 2, parts: 2, done: [] })).toHaveLength(4);
    expect(stillToRun({ times: 3, parts: 2, done })).toEqual([
      { run: 2, part: 2 },
      { run: 3, part: 1 },
      { run: 3, part: 2 },
    ]);
  });

  it('shows the command that repeats a failure', () => {
    expect(commandOf({ file: 'a.test.ts', seeds: [11, 12] }, 'test')).toBe(
      'LAUREL_TEST_SEED=11 npm run test -- a.test.ts',
    );
    expect(commandOf({ file: 'a.test.ts', seeds: [] }, 'test:faults')).toBe('npm run test:faults -- a.test.ts');
  });
});

describe('the law files', () => {
  const files: readonly string[] = lawFiles();

  it('are all files that contain a law, whatever their names', () => {
    expect(files).toContain('libs/domain/streaks/src/rules/streaks.laws.test.ts');
    expect(files).toContain('libs/domain/users/src/user-queries.db.test.ts');
    expect(files).not.toContain('tools/suite-scripts.unit.test.ts');
    for (const name of files) expect(existsSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)))).toBe(true);
  });
});
