// Runs every command of the documents and holds what they print to what is written there, in a fresh clone of the last commit:
// node tools/run-documents.mjs [--repository DIR] [DOCUMENT...]
//
// Without documents: README.md and docs/guides/*.md. run-documents/README.md has the conventions.
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
// As root, Postgres runs as another user, who must be able to pass through.
chmodSync(folder, 0o755);
const clone = join(folder, 'laurel');

function run(program, ...words) {
  const { status, stdout } = spawnSync(program, words, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ended with ${status}`);
  return stdout;
}
const git = (...words) => run('git', ...words);

/** Nothing that is set here for Laurel; what curl shows is the answer alone, and a refusal is an exit code. */
function environment() {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LAUREL_'));
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  return { ...Object.fromEntries(own), CURL_HOME: folder };
}

/** What the document before has left is gone; packages and what was built stay. */
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

/** A document that clones the repository itself begins where there is no clone, and its clone is that of the ones after it. */
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
