// npm run lint: all checks of the form of the code. Each check runs even if an earlier one has failed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { checkFolders } from './boundaries/folders.mjs';
import { checkImportCanaries } from './boundaries/import-canary.mjs';
import { checkPrograms } from './boundaries/programs.mjs';
import { checkProjectTags } from './boundaries/project-tags.mjs';
import { checkPureTypesCanaries } from './boundaries/pure-types-canary.mjs';
import { checkCeilings } from './ceilings/check-ceilings.mjs';
import { checkArchitecture } from './check-architecture.mjs';
import { writeClientTypes } from './client-types/write-client-types.mjs';

const GRAPH = '.nx/lint/graph.json';
// The daemon would outlive this process and could answer from an outdated graph.
process.env.NX_DAEMON = 'false';

/**
 * Programs that parse everything create much garbage: with a small young generation, collecting it took an eighth of
 * their time.
 */
const node = (...args) =>
  spawnSync(process.execPath, ['--max-semi-space-size=128', ...args], { stdio: 'inherit' }).status === 0;

/** `nx graph` also leaves the project graph where the boundary rule looks for it. */
function makeGraph() {
  mkdirSync('.nx/lint', { recursive: true });
  rmSync(GRAPH, { force: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/nx/dist/bin/nx.js', 'graph', `--file=${GRAPH}`],
    { encoding: 'utf8' },
  );
  if (status !== 0) console.log(stdout + stderr);
  return status === 0 && JSON.parse(readFileSync(GRAPH, 'utf8')).graph !== undefined;
}

function holds(what, { count, problems }) {
  for (const problem of problems) console.log(problem);
  console.log(`${count} ${what}, ${problems.length} problems`);
  return count > 0 && problems.length === 0;
}

const CHECKS = [
  ['types of the client', () => writeClientTypes().then(() => true)],
  ['project graph', makeGraph],
  ['project tags', () => holds('projects', checkProjectTags(GRAPH))],
  ['files of the programs', () => holds('files', checkPrograms())],
  ['declared dependencies', () => node('tools/declare-dependencies.mjs', '--check')],
  ['eslint', () => node('node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0')],
  ['boundaries: the canaries are red', async () => holds('canaries', await checkImportCanaries())],
  ['folders: none imports another both ways', () => holds('packages and canaries', checkFolders())],
  ['types of pure code: the canaries are red', () => holds('canaries', checkPureTypesCanaries())],
  ['ceilings: files of the list, canaries', async () => holds('files and canaries', await checkCeilings())],
  ['prettier', () => node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.')],
  ['documents: paths, links, effects, decisions, pages of libraries', () => holds('paths', checkArchitecture())],
  ['leaks', () => node('tools/find-leaks.mjs')],
];

const failed = [];
for (const [name, check] of CHECKS) {
  console.log(`\n== ${name}`);
  if (!(await check())) failed.push(name);
}
console.log(failed.length === 0 ? `\nlint: ${CHECKS.length} checks passed` : `\nlint failed: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
