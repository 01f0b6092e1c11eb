// Runs every command of the documents in a fresh clone of the last commit, and compares the output with the one in the
// document:
// node tools/run-documents.mjs [--repository DIR] [DOCUMENT...]
//
// Without documents: README.md and docs/guides/*.md. The conventions are in run-documents/README.md.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cloneCommand } from './clone-command.mjs';
import { runDocument } from './run-documents/run-document.mjs';
import { openSessions } from './run-documents/session.mjs';

const options = { repository: { type: 'string', default: '.' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const repository = resolve(values.repository);
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
// If this runs as root, Postgres runs under another account, which must be able to enter the folder.
chmodSync(folder, 0o755);
const clone = join(folder, 'laurel');

function run(program, ...words) {
  const { status, stdout } = spawnSync(program, words, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ended with ${status}`);
  return stdout;
}
const git = (...words) => run('git', ...words);

/**
 * The environment, without the variables for Laurel that are set here. curl prints only the response, and ends with an
 * error code if it is a refusal.
 */
function environment() {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LAUREL_'));
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  return { ...Object.fromEntries(own), CURL_HOME: folder };
}

/** Removes what earlier documents have left in the clone, except packages and build results. */
function freshClone() {
  if (!existsSync(clone)) run(...cloneCommand(repository, clone));
  git('-C', clone, 'clean', '-dfxq', '-e', 'node_modules', '-e', 'dist', '-e', '*.tsbuildinfo');
  git('-C', clone, 'checkout', '--quiet', '.');
}

function documents() {
  if (positionals.length > 0) return positionals;
  const files = git('-C', repository, 'ls-tree', '--name-only', 'HEAD', 'docs/guides/').split('\n');
  return ['README.md', ...files.filter((name) => name.endsWith('.md'))];
}

/**
 * Runs a document. One that clones the repository itself starts without a clone; later documents use the clone that it
 * makes.
 */
async function check(name) {
  const markdown = git('-C', repository, 'show', `HEAD:${name}`);
  const clonesItself = /^git clone /m.test(markdown);
  if (clonesItself) rmSync(clone, { recursive: true, force: true });
  else freshClone();
  const files = join(folder, name.replaceAll('/', '-').replace(/\.md$/, ''));
  mkdirSync(files);
  return runDocument(markdown, { cwd: clonesItself ? folder : clone, folder: files, env: environment(), repository });
}

function report(name, { commands, compared, skipped, unused }) {
  const lines = [`${name}: ${commands} lines of commands run, ${compared} outputs as written`];
  for (const { line, reason } of skipped) lines.push(`  line ${line} not run: ${reason}`);
  for (const { line } of unused) lines.push(`  line ${line} shows an output of no command`);
  return lines;
}

for (const name of ['SIGINT', 'SIGTERM']) {
  process.once(name, async () => {
    await Promise.allSettled([...openSessions].map((session) => session.close()));
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  });
}

const summary = [];
try {
  for (const name of documents()) {
    console.log(`\n=== ${name}`);
    try {
      summary.push(...report(name, await check(name)));
    } catch (error) {
      summary.push(`${name}: FAILED: ${error.message}`);
      process.exitCode = 1;
    }
  }
  console.log(`\n${summary.join('\n')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
