// Runs a suite several times and lists each test that failed even once:
// node tools/repeat-tests.mjs [--times 10] [--load 2] [--new-seeds] [--laws] [--suite test:distributed] [--parts 4]
//   [--keep FILE [--within MINUTES]] [-- ARGUMENT_OF_JEST...]
//
// `--load` keeps that many processes busy beside the tests, as on a shared machine. `--new-seeds` draws another
// `LAUREL_TEST_SEED` for each run and prints it. `--laws` runs only the files that contain laws over random inputs.
// `--parts` splits the files of each run into that many commands of jest. `--keep` stores the results of each part, and
// the same command continues after them; `--within` starts no part that would exceed this time.
//
// The exit code is 0 if every test passed in every run, and every run ran as many tests as the others; 3 if parts are
// still to be run.
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { lawFiles } from './repeat-tests/law-files.mjs';
import { commandOf, failedEvenOnce, stillToRun, testsRun, wholeRuns } from './repeat-tests/repeated-runs.mjs';

const LARGEST_SEED = 2 ** 32 - 1;
const BUSY = 'for (;;);';

const { values, positionals } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    load: { type: 'string', default: '0' },
    'new-seeds': { type: 'boolean', default: false },
    laws: { type: 'boolean', default: false },
    suite: { type: 'string', default: 'test' },
    parts: { type: 'string', default: '1' },
    keep: { type: 'string' },
    within: { type: 'string', default: '1440' },
  },
  allowPositionals: true,
});

const wholeNumber = (name, least) => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= least) return number;
  console.error(`--${name} must be a whole number from ${least} on, got "${values[name]}"`);
  process.exit(2);
};
const times = wholeNumber('times', 1);
const load = wholeNumber('load', 0);
const parts = wholeNumber('parts', 1);
const endsAt = performance.now() + wholeNumber('within', 1) * 60_000;
const files = [...positionals, ...(values.laws ? lawFiles() : [])];
const asked = { times, parts, suite: values.suite, files };
const done = partsKept();

const folder = mkdtempSync(join(tmpdir(), 'laurel-repeat-'));
const reportFile = join(folder, 'report.json');
const busy = Array.from({ length: load }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));
process.once('exit', () => {
  for (const child of busy) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const [name, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(name, () => process.exit(code));

let longest = 0;
if (values.keep !== undefined) mkdirSync(dirname(values.keep), { recursive: true });
prepare();
for (const { run, part } of stillToRun({ times, parts, done })) {
  const began = performance.now();
  if (began + longest > endsAt) break;
  const seed = done.find((one) => one.run === run)?.seed ?? (values['new-seeds'] ? randomInt(LARGEST_SEED) : null);
  const what = `run ${run} of ${times}${parts === 1 ? '' : `, part ${part} of ${parts}`}`;
  console.log(`\n=== ${what}${seed === null ? '' : ` with LAUREL_TEST_SEED=${seed}`}`);
  done.push({ run, part, seed, results: await runPart(part, seed) });
  if (values.keep !== undefined) writeFileSync(values.keep, JSON.stringify({ asked, done }));
  const failed = failedEvenOnce(done.slice(-1), process.cwd());
  for (const { file, test } of failed) console.log(`failed: ${file} › ${test}`);
  const took = performance.now() - began;
  longest = Math.max(longest, took);
  console.log(`${what}: ${failed.length} failed, ${Math.round(took / 1_000)} s`);
}
report();

function report() {
  const runs = wholeRuns(done, parts);
  const failures = failedEvenOnce(done, process.cwd());
  const { fewest, most } = runs.length === 0 ? { fewest: 0, most: 0 } : testsRun(runs);
  console.log(`\n${runs.length} runs of ${most} tests, ${failures.length} failed even once`);
  for (const failure of failures) {
    console.log(`  ${failure.times} of ${times}: ${failure.file} › ${failure.test}`);
    console.log(`    ${commandOf(failure, values.suite)}`);
  }
  if (fewest !== most) console.log(`not every run ran every test: the shortest ran ${fewest}`);
  const left = stillToRun({ times, parts, done }).length;
  if (left > 0)
    console.log(`${left} parts are still to be run${values.keep === undefined ? '' : ': the same command goes on'}`);
  const passed = failures.length === 0 && fewest === most && most > 0;
  process.exitCode = left > 0 && failures.length === 0 ? 3 : passed ? 0 : 1;
}

/** The parts that an earlier command with the same arguments has stored. */
function partsKept() {
  if (values.keep === undefined || !existsSync(values.keep)) return [];
  const kept = JSON.parse(readFileSync(values.keep, 'utf8'));
  if (JSON.stringify(kept.asked) === JSON.stringify(asked)) return kept.done;
  console.error(`${values.keep} is of another command: ${JSON.stringify(kept.asked)}`);
  process.exit(2);
}

/** Runs the npm script that precedes the suite, once for all runs. */
function prepare() {
  const { status } = spawnSync('npm', ['run', '--silent', '--if-present', `pre${values.suite}`], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
}

async function runPart(part, seed) {
  rmSync(reportFile, { force: true });
  const words = [
    '--json',
    `--outputFile=${reportFile}`,
    '--silent',
    ...(parts === 1 ? [] : [`--shard=${part}/${parts}`]),
  ];
  const child = spawn('npm', ['run', '--silent', '--ignore-scripts', values.suite, '--', ...words, ...files], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...(seed !== null && { LAUREL_TEST_SEED: String(seed) }) },
  });
  await once(child, 'exit');
  return existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')).testResults.map(whatCounts) : null;
}

/** The needed part of a file's report, without the output of each test. */
function whatCounts({ name, status, assertionResults }) {
  const tests = assertionResults.map((test) => ({ fullName: test.fullName, status: test.status }));
  return { name, status, assertionResults: tests };
}
