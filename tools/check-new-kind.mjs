// Checks that a new kind of declaration needs few changes: node tools/check-new-kind.mjs [--only NAME]
//
// For each kind, a patch adds it to a copy of this checkout. Only few source files may change, and types and tests must
// pass. Then each hunk of the patch is left out in turn: types or tests must fail, and name the hunk's file or the
// kind. At the end the copy is removed.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cloneCommand } from './clone-command.mjs';
import { hunksOf, patchOf } from './new-kind/hunks.mjs';

/**
 * The kinds by name: the patch is tools/new-kind/NAME.patch. `kind` is what it adds; `called` lists other names that
 * the code uses for it.
 */
const KINDS = {
  'points-trigger': {
    kind: 'streak_start',
    called: [],
    suites: [
      'libs/domain/configuration',
      'libs/domain/points',
      'libs/schemas',
      'libs/testing/src/histories',
      'libs/operations/all-areas/src/laws/looking.laws.test.ts',
    ],
  },
  'achievement-trigger': {
    kind: 'streak_start',
    called: [],
    suites: [
      'libs/domain/configuration',
      'libs/domain/achievements',
      'libs/schemas',
      'libs/operations/all-areas/src/laws/looking.laws.test.ts',
    ],
  },
  effect: {
    kind: 'UserReturned',
    called: [],
    suites: [
      'libs/kernel',
      'libs/domain/users/src/users-area.unit.test.ts',
      'libs/domain/users/src/rules',
      'libs/testing/src/histories',
      'tools/check-architecture.unit.test.ts',
      'libs/operations/all-areas/src/laws/looking.laws.test.ts',
    ],
  },
  outcome: {
    kind: 'streak.revived',
    called: ['streakRevived'],
    suites: [
      'libs/kernel/src/outcome-types',
      'libs/domain/configuration/src/document/outgoing-fields',
      'libs/operations/outgoing',
      'libs/operations/stored-effects/src/outgoing/outcomes.db.test.ts',
    ],
  },
};
const MOST_SOURCE_FILES = 4;
const MOST_LINES = 80;
/** This file is generated. */
const SCHEMA = 'docs/configuration.schema.json';

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const names = Object.keys(KINDS).filter((name) => only === undefined || name === only);
if (names.length === 0) throw new Error(`--only takes one of ${Object.keys(KINDS).join(', ')}`);
const patches = names.map((name) => {
  const hunks = hunksOf(readFileSync(`tools/new-kind/${name}.patch`, 'utf8'));
  checkSize(name, hunks);
  return { ...KINDS[name], hunks };
});

const folder = mkdtempSync(join(tmpdir(), 'laurel-new-kind-'));
// If this runs as root, the embedded Postgres runs under another account, which must be able to enter the folder.
chmodSync(folder, 0o755);
const copy = join(folder, 'main');
try {
  const [git, ...words] = cloneCommand('.', copy);
  must(git, words, process.cwd());
  must('node', ['tools/ensure-installed.mjs', '--all']);
  for (const patch of patches) tryKind(patch);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function checkSize(name, hunks) {
  const ofSources = hunks.filter(({ file }) => !/\.test\.ts$|^libs\/testing\//.test(file));
  const files = [...new Set(ofSources.map(({ file }) => file))];
  const lines = ofSources.reduce((sum, { added }) => sum + added, 0);
  console.log(`${name}: ${lines} lines in ${files.length} source files: ${files.join(', ')}`);
  if (files.length > MOST_SOURCE_FILES || lines > MOST_LINES)
    throw new Error(`${name} may need at most ${MOST_LINES} lines in ${MOST_SOURCE_FILES} source files`);
}

function tryKind(patch) {
  const { kind, suites, hunks } = patch;
  must('git', ['checkout', '--quiet', '--', '.']);
  apply(hunks);
  must('node', ['tools/ensure-built.mjs']);
  writeFileSync(join(copy, SCHEMA), must('node', ['apps/cli/dist/main.js', 'config', 'schema']).stdout);
  must('npx', ['prettier', '--write', SCHEMA]);
  const whole = failureOf(suites);
  if (whole !== null) throw new Error(`with the whole patch of ${kind} there is an error:\n${whole}`);
  const unnoticed = hunks.filter((left) => !isNoticed(patch, left));
  if (unnoticed.length > 0) throw new Error(`nothing asks for ${unnoticed.map(nameOf).join(', ')}`);
}

function isNoticed({ kind, called, suites, hunks }, left) {
  must('git', ['checkout', '--quiet', '--', ...new Set(hunks.map(({ file }) => file))]);
  apply(hunks.filter((hunk) => hunk !== left));
  const failure = failureOf(suites);
  const isNamed = failure !== null && [left.file, kind, ...called].some((name) => failure.includes(name));
  console.log(`${isNamed ? 'noticed' : 'NOT NOTICED'}: ${nameOf(left)}`);
  return isNamed;
}

/** Returns the output of the type check or, if there are no type errors, of the tests; null if both pass. */
function failureOf(suites) {
  const types = run('node', ['tools/compiler/tsc.mjs', '--noEmit', '-p', 'tsconfig.test.json']);
  if (types.status !== 0) return types.stdout;
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', ...suites];
  const tests = run('node', jest);
  return tests.status === 0 ? null : `${tests.stdout}\n${tests.stderr}`;
}

function apply(some) {
  const path = join(folder, 'some.patch');
  writeFileSync(path, patchOf(some));
  must('git', ['apply', '--unidiff-zero', '--recount', path]);
}

function nameOf({ file, title }) {
  return `${file} ${title}`;
}

function must(command, words, cwd = copy) {
  const result = run(command, words, cwd);
  if (result.status !== 0) throw new Error(`${command} ${words.join(' ')}: ${result.stderr || result.stdout}`);
  return result;
}

function run(command, words, cwd = copy) {
  const env = { ...process.env, NX_DAEMON: 'false' };
  return spawnSync(command, words, { cwd, env, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}
