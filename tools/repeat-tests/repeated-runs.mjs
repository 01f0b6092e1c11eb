/**
 * The part of Jest's `--json` output of one run that is used here.
 *
 * @typedef {{ name: string, message: string, assertionResults: readonly { status: string, fullName: string }[] }}
 *   FileResult
 * @typedef {{ seed: number | null, results: readonly FileResult[] | null }} Run `results` is null if jest ended without
 *   a report
 */

/**
 * The tests that failed in at least one of the runs, with the seeds of the runs in which they did.
 * @param {readonly Run[]} runs
 * @param {string} root the files' names are given relative to it
 * @returns {readonly { file: string, test: string, times: number, seeds: readonly number[] }[]} those that failed most often first
 */
export function failedEvenOnce(runs, root) {
  const failed = new Map();
  const count = (file, test, seed) => {
    const key = JSON.stringify([file, test]);
    const entry = failed.get(key) ?? { file, test, times: 0, seeds: [] };
    entry.times += 1;
    if (seed !== null) entry.seeds.push(seed);
    failed.set(key, entry);
  };
  for (const { seed, results } of runs) {
    if (results === null) count('', 'the whole run: jest ended without a report', seed);
    for (const { name, status, assertionResults } of results ?? []) {
      const file = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
      const tests = assertionResults.filter((test) => test.status === 'failed');
      for (const { fullName } of tests) count(file, fullName, seed);
      if (status === 'failed' && tests.length === 0) count(file, 'the file itself', seed);
    }
  }
  return [...failed.values()].sort((a, b) => b.times - a.times);
}

/**
 * Assembles the stored parts into whole runs. A run with a missing part is left out.
 *
 * @typedef {{ run: number, part: number, seed: number | null, results: readonly FileResult[] | null }} Part both from 1
 * @param {readonly Part[]} done
 * @param {number} parts of each run
 * @returns {readonly Run[]} without a report if one of its parts has none
 */
export function wholeRuns(done, parts) {
  const numbers = [...new Set(done.map(({ run }) => run))];
  return numbers
    .map((number) => done.filter(({ run }) => run === number))
    .filter((ofRun) => ofRun.length === parts)
    .map((ofRun) => ({
      seed: ofRun[0].seed,
      results: ofRun.some(({ results }) => results === null) ? null : ofRun.flatMap(({ results }) => results),
    }));
}

/**
 * @param {{ times: number, parts: number, done: readonly Part[] }} asked
 * @returns {readonly { run: number, part: number }[]} the parts that have not been run yet, in order
 */
export function stillToRun({ times, parts, done }) {
  const all = Array.from({ length: times * parts }, (_, n) => ({
    run: Math.floor(n / parts) + 1,
    part: (n % parts) + 1,
  }));
  return all.filter(({ run, part }) => !done.some((one) => one.run === run && one.part === part));
}

/** The smallest and the largest number of tests that a run ran: a run with fewer tests has not run everything. */
export function testsRun(runs) {
  const counts = runs.map(({ results }) =>
    (results ?? []).reduce(
      (sum, { assertionResults }) =>
        sum + assertionResults.filter(({ status }) => status === 'passed' || status === 'failed').length,
      0,
    ),
  );
  return { fewest: Math.min(...counts), most: Math.max(...counts) };
}

/** The command that runs the file of a failed test again with its seed. */
export const commandOf = ({ file, seeds }, suite) =>
  `${seeds.length > 0 ? `LAUREL_TEST_SEED=${seeds[0]} ` : ''}npm run ${suite}${file === '' ? '' : ` -- ${file}`}`;
