// All checks that must pass before a change is accepted: node tools/ci/run.mjs [--history DIR] [--night [--seed N]] [--only JOB[,JOB]] [--list]
//
// Jobs run side by side, the steps of a job one after the other. The end of the output repeats each failed step with
// its failed tests and the end of its log; the last line is "N passed, N failed, N skipped". The exit code is 0 if
// nothing failed. `.ci/run` calls this with a clean environment. It needs no packages, because installing them is the
// first job.
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeFailure, tail } from './failures.mjs';
import { jobsOf } from './jobs.mjs';
import { runJobs } from './schedule.mjs';
import { Shell } from './shell.mjs';

const SLOTS = 2;
/** The same commit always gives the same result; only at night another seed is used, to find further errors. */
const SEED_OF_THE_REPOSITORY = 20_261_121;
const SEEDS = 2 ** 32 - 1;
/** Pictures that the tests of the console take; they are kept with the logs. */
const PICTURES = 'coverage/console';
const LINES_OF_SUCCESS = 3;
const LINES_OF_FAILURE = 80;
const LINES_AT_THE_END = 60;

const { values } = parseArgs({
  options: {
    history: { type: 'string' },
    night: { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

const seed =
  values.seed === undefined ? (values.night ? randomInt(SEEDS) : SEED_OF_THE_REPOSITORY) : Number(values.seed);
if (!Number.isSafeInteger(seed) || seed < 0 || seed > SEEDS) {
  console.error(`--seed must be a whole number from 0 to ${SEEDS}, got "${values.seed}"`);
  process.exit(2);
}
process.env.LAUREL_TEST_SEED = String(seed);

// If this runs as root, the embedded Postgres runs under another account, which must be able to enter the folder.
const work = mkdtempSync(join(tmpdir(), 'laurel-ci-'));
chmodSync(work, 0o755);
const logs = join(work, 'logs');
mkdirSync(logs);
const shell = new Shell(work);
const began = performance.now();
const count = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const tried = new Set();
const seedUsed = `everything drawn at random follows from --seed ${seed}`;
const seconds = (since) => Math.round((performance.now() - since) / 1_000);

for (const name of ['SIGINT', 'SIGTERM']) {
  process.once(name, async () => {
    await shell.end();
    process.exit(130);
  });
}

const jobs = await jobsOf({ work, logs, shell, history: values.history ?? null, night: values.night, seed });
const wanted = values.only === undefined ? jobs : withNeeded(values.only.split(','));
if (values.list) {
  for (const { name, steps } of wanted) for (const { title } of steps) console.log(`${name}: ${title}`);
} else {
  console.log(seedUsed);
  await runJobs(wanted, { slots: SLOTS, run: runJob });
  await shell.end();
  report();
}
if (count.failed === 0) rmSync(work, { recursive: true, force: true });
else {
  if (existsSync(PICTURES)) cpSync(PICTURES, join(logs, 'console'), { recursive: true });
  for (const entry of readdirSync(work))
    if (entry !== 'logs') rmSync(join(work, entry), { recursive: true, force: true });
}

function withNeeded(names) {
  const unknown = names.filter((name) => !jobs.some((job) => job.name === name));
  if (unknown.length > 0) {
    console.error(`no such job: ${unknown.join(', ')}; there are ${jobs.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const keep = new Set(names);
  for (const job of jobs.toReversed()) if (keep.has(job.name)) for (const name of job.needs ?? []) keep.add(name);
  return jobs.filter(({ name }) => keep.has(name));
}

/** Runs all steps, also those after a failed one: they may show further errors. */
async function runJob(job) {
  tried.add(job.name);
  if (job.skipped !== undefined) return skip(job, job.steps, job.skipped);
  let passed = true;
  for (const [index, step] of job.steps.entries()) {
    const outcome = await runStep(job, index, step);
    if (!outcome && step.orSkip !== undefined) return skip(job, job.steps.slice(index), step.orSkip) && passed;
    passed = outcome && passed;
  }
  return passed;
}

function skip({ name }, steps, reason) {
  count.skipped += steps.length;
  for (const { title } of steps) console.log(`\n--- skipped: ${name}: ${title} (${reason})`);
  return true;
}

async function runStep(job, index, { title, run, orSkip }) {
  const log = join(logs, `${job.name}-${index + 1}.log`);
  const started = performance.now();
  const outcome = await run(log).then(
    (cpu) => ({ passed: true, cpu }),
    (error) => ({ passed: false, error }),
  );
  if (outcome.passed || orSkip === undefined) count[outcome.passed ? 'passed' : 'failed'] += 1;
  const end = tail(log, outcome.passed ? LINES_OF_SUCCESS : LINES_OF_FAILURE).map((line) => `    ${line}`);
  const lines = [`\n=== ${job.name}: ${title}`, ...end];
  if (outcome.passed) {
    const cpu = outcome.cpu === undefined ? '' : `, ${Math.round(outcome.cpu)} s of CPU`;
    lines.push(`--- passed in ${seconds(started)} s${cpu}`);
  } else if (orSkip === undefined) {
    lines.push(`--- FAILED after ${seconds(started)} s: ${outcome.error.message}; the whole of it: ${log}`);
    failures.push({ name: `${job.name}: ${title}`, error: outcome.error, log });
  }
  console.log(lines.join('\n'));
  return outcome.passed;
}

function report() {
  for (const { name, steps } of wanted.filter(({ name }) => !tried.has(name))) {
    count.failed += steps.length;
    console.log(`--- FAILED: ${name} was not run, because a job that it needs has failed`);
  }
  for (const failure of failures) console.log(`\n${describeFailure(failure, LINES_AT_THE_END).join('\n')}`);
  console.log(`\n${seedUsed}\n${seconds(began)} s in all`);
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;
}
