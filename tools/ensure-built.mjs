// Builds the apps and the console when a source or a setting has changed since the last build made here, or when something built is missing.
// Finding out takes milliseconds, where `tsc -b` takes longer to find the same. Plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectsOf, rootOf } from './projects.mjs';

/** In node_modules, so that `npm ci` removes it with the compiler that built. */
const STAMP = 'node_modules/.cache/laurel/built';
/** Holds the process that builds. */
const LOCK = 'node_modules/.cache/laurel/building';
const TSC = 'tools/compiler/tsc.mjs';
const CONSOLE = rootOf(projectsOf(), '@laurel/console');
const BUILD_CONSOLE = 'tools/build-console.mjs';
const BUILD_SERVICES = 'tools/build-services.mjs';
const LAUNCHER = 'tools/compiler/launch-service.mjs';
const CLIENT_TYPES = ['types-of.mjs', 'write-client-types.mjs'].map((file) => `tools/client-types/${file}`);
/** What the build itself makes of other sources. */
const GENERATED = /[\\/]generated[\\/]/;

const apps = readdirSync('apps')
  .map((name) => join('apps', name))
  .filter((app) => existsSync(join(app, 'tsconfig.json')));
const projects = [...apps.reduce(withReferences, new Set())];

/** Not every library: what only tests use is built where all packages are installed. */
function withReferences(found, project) {
  if (found.has(project)) return found;
  found.add(project);
  const { references = [] } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'));
  return references.map(({ path }) => normalize(join(project, path))).reduce(withReferences, found);
}

const filesIn = (folder) =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
        .map((entry) => join(entry.parentPath, entry.name));
const sources = [...projects, CONSOLE]
  .flatMap((project) => filesIn(join(project, 'src')))
  .filter((path) => !GENERATED.test(path));
const settings = [
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json'],
  ...projects.flatMap((project) => [join(project, 'package.json'), join(project, 'tsconfig.json')]),
  ...[
    join(CONSOLE, 'index.html'),
    BUILD_CONSOLE,
    BUILD_SERVICES,
    LAUNCHER,
    ...CLIENT_TYPES,
    'docs/configuration.schema.json',
  ],
];

/** The names, sizes and times of everything that a build depends on. */
function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const path of [...settings, ...sources].sort()) {
    const file = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path}\0${file?.size}\0${file?.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** What the last build here was made from, and the files that it left; null: none is known. */
function lastBuild() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    // None was made, or the record was cut off.
    return null;
  }
}
const isWhole = (project, last) =>
  existsSync(join(project, 'dist')) &&
  (last?.built ?? []).every((path) => !path.startsWith(join(project, 'dist')) || existsSync(path));

/** What must be built, and from what: taken before the build, so that what changes meanwhile is built next time. null: nothing. */
function toBuild() {
  const last = lastBuild();
  const from = fingerprint();
  const incomplete = projects.filter((project) => !isWhole(project, last));
  return last?.from === from && incomplete.length === 0 ? null : { from, incomplete };
}

/** Of several commands at a time one builds; the others wait, and find it done. */
function whileAlone(work) {
  mkdirSync(dirname(LOCK), { recursive: true });
  while (!isTaken()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  process.once('exit', () => rmSync(LOCK, { force: true }));
  work();
}

/** False: another command is building. One that was killed leaves its lock behind. */
function isTaken() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isRunning(holder())) rmSync(LOCK, { force: true });
    return false;
  }
}

/** The process that builds; 0: it has not said who it is, or has ended. */
function holder() {
  try {
    return Number(readFileSync(LOCK, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  // It is just writing who it is, or has just ended; if it was killed before it wrote, for longer than that takes.
  if (pid === 0) return Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < 5_000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function buildAll({ from, incomplete }) {
  const startedAt = performance.now();
  // On the standard error: the output of a command line goes into files.
  console.error('Building ...');
  rmSync(STAMP, { force: true });
  // tsc goes by its own record of a project and does not notice that files are gone.
  for (const project of incomplete) rmSync(join(project, 'tsconfig.tsbuildinfo'), { force: true });
  for (const program of [[TSC, '-b', ...apps], [BUILD_SERVICES], [BUILD_CONSOLE]]) {
    const { status } = spawnSync(process.execPath, program, { stdio: ['inherit', 2, 2] });
    if (status !== 0) process.exit(status ?? 1);
  }
  const built = projects
    .flatMap((project) => filesIn(join(project, 'dist')))
    .filter((path) => /\.(?:c?js|json)$/.test(path));
  writeFileSync(STAMP, JSON.stringify({ from, built }));
  console.error(`Built in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
}

if (toBuild() !== null)
  whileAlone(() => {
    const missing = toBuild();
    if (missing !== null) buildAll(missing);
  });
