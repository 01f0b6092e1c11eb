// Checks that a new area needs few changes: node tools/check-new-area.mjs
//
// A copy of this checkout gets an area by `npx nx g @laurel/tools:area`. Only few places may change, and the suites of
// the copy must pass: types, lint, laws, databases, the HTTP suite in one process and through the services. Then the
// copy is removed.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneCommand } from './clone-command.mjs';

const NAME = 'visits';
const MOST_PLACES = 10;
/** Files that a tool generates from others. */
const DERIVED = [
  'package-lock.json',
  'libs/operations/all-areas/tsconfig.json',
  'apps/achievement-service/tsconfig.json',
  'libs/api/openapi/src/answer-examples.json',
];
/** Tests of everything that depends on the list of areas, from the rules to the HTTP API. */
const SUITES = ['libs/', 'apps/standalone/src/'];
const DISTRIBUTED = 'apps/ingestion-gateway/src/http-suite.distributed.test.ts';

const folder = mkdtempSync(join(tmpdir(), 'laurel-new-area-'));
// If this runs as root, the embedded Postgres runs under another account, which must be able to enter the folder.
chmodSync(folder, 0o755);
const copy = join(folder, 'main');
try {
  const [git, ...words] = cloneCommand('.', copy);
  run(git, words, process.cwd());
  run('node', ['tools/ensure-installed.mjs', '--all']);
  run('npx', ['nx', 'g', `@laurel/tools:area`, NAME]);
  const places = run('git', ['status', '--porcelain'], copy, 'pipe')
    .stdout.split('\n')
    .map((line) => line.slice(3))
    .filter((path) => path !== '' && !path.startsWith(`libs/domain/${NAME}/`) && !DERIVED.includes(path));
  console.log(`${places.length} places beside libs/domain/${NAME}: ${places.join(', ')}`);
  if (places.length > MOST_PLACES) throw new Error(`a new area is to touch at most ${MOST_PLACES} places`);
  run('npm', ['run', '--silent', 'typecheck']);
  writeExamples();
  run('npm', ['run', '--silent', 'lint']);
  run('node', [...jest(), ...SUITES]);
  run('npm', ['run', '--silent', 'test:manifests']);
  run('node', [...jest(), '--config', 'jest.distributed.config.mjs', DISTRIBUTED]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The examples of answers contain the areas. The test that writes them fails whenever it has changed one. */
function writeExamples() {
  const words = [...jest(), 'apps/standalone/src/api-document.http.test.ts'];
  spawnSync('node', words, { cwd: copy, env: { ...process.env, LAUREL_WRITE_EXAMPLES: '1' }, stdio: 'ignore' });
}

function jest() {
  return ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
}

function run(command, words, cwd = copy, stdout = 'inherit') {
  const env = { ...process.env, NX_DAEMON: 'false' };
  const result = spawnSync(command, words, { cwd, env, stdio: ['ignore', stdout, 'inherit'], encoding: 'utf8' });
  if (result.status === 0) return result;
  const how =
    result.error?.message ?? (result.signal === null ? `exit code ${result.status}` : `ended by ${result.signal}`);
  throw new Error(`${[command, ...words].join(' ')}: ${how}`);
}
