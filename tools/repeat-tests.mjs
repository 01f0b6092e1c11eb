// Runs a suite several times and lists each test that failed even once:
// node tools/repeat-tests.mjs [--times 10] [--load 2] [--new-seeds] [--laws] [--suite test:distributed] [-- ARGUMENT_OF_JEST...]
//
// `--load` keeps that many processes busy beside the tests, as on a machine that others use. `--new-seeds` draws another
// `LAUREL_TEST_SEED` for each run and prints it. `--laws` runs the files that hold laws over random inputs, and no others. The exit code
// is 0 if every test passed in every run, and every run ran as many tests as the others.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lawFiles } from './repeat-tests/law-files.mjs';
import { commandOf, failedEvenOnce, testsRun } from './repeat-tests/repeated-runs.mjs';

const LARGEST_SEED = 2 ** 32 - 1;
const BUSY = 'for (;;);';

const { values, positionals } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    load: { type: 'string', default: '0' },
    'new-seeds': { type: 'boolean', default: false },
    laws: { type: 'boolean', default: false },
    suite: { type: 'string', default: 'test' },
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
const files = [...positionals, ...(values.laws ? lawFiles() : [])];

const folder = mkdtempSync(join(tmpdir(), 'laurel-repeat-'));
const report = join(folder, 'report.json');
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

const runs = [];
for (let n = 1; n <= times; n++) {
  const seed = values['new-seeds'] ? randomInt(LARGEST_SEED) : null;
  console.log(`\n=== run ${n} of ${times}${seed === null ? '' : ` with LAUREL_TEST_SEED=${seed}`}`);
  const began = performance.now();
  runs.push(await run(seed));
  const failed = failedEvenOnce(runs.slice(-1), process.cwd());
  for (const { file, test } of failed) console.log(`failed: ${file} › ${test}`);
  console.log(`run ${n}: ${failed.length} failed, ${Math.round((performance.now() - began) / 1_000)} s`);
}

const failures = failedEvenOnce(runs, process.cwd());
const { fewest, most } = testsRun(runs);
console.log(`\n${times} runs of ${most} tests, ${failures.length} failed even once`);
for (const failure of failures) {
  console.log(`  ${failure.times} of ${times}: ${failure.file} › ${failure.test}`);
  console.log(`    ${commandOf(failure, values.suite)}`);
}
if (fewest !== most) console.log(`not every run ran every test: the shortest ran ${fewest}`);
process.exitCode = failures.length === 0 && fewest === most && most > 0 ? 0 : 1;

/** Through npm, which prepares what the suite needs. */
async function run(seed) {
  rmSync(report, { force: true });
  const child = spawn(
    'npm',
    ['run', '--silent', values.suite, '--', '--json', `--outputFile=${report}`, '--silent', ...files],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...(seed !== null && { LAUREL_TEST_SEED: String(seed) }) },
    },
  );
  await once(child, 'exit');
  return { seed, results: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : null };
}
