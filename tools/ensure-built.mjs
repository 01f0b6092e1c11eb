// Builds the apps and the console when a source or a setting has changed since the last build made here, or when something built is missing.
// Finding out takes milliseconds, where `tsc -b` takes longer to find the same. Plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** In node_modules, so that `npm ci` removes it with the compiler that built. */
const STAMP = 'node_modules/.cache/laurel/built';
const TSC = 'tools/compiler/tsc.mjs';
const CONSOLE = 'libs/console';
const BUILD_CONSOLE = 'tools/build-console.mjs';

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
const sources = [...projects, CONSOLE].flatMap((project) => filesIn(join(project, 'src')));
const settings = [
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json'],
  ...projects.flatMap((project) => [join(project, 'package.json'), join(project, 'tsconfig.json')]),
  ...[join(CONSOLE, 'index.html'), BUILD_CONSOLE, 'docs/configuration.schema.json'],
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
const last = lastBuild();
const isWhole = (project) =>
  existsSync(join(project, 'dist')) &&
  (last?.built ?? []).every((path) => !path.startsWith(join(project, 'dist')) || existsSync(path));
const incomplete = projects.filter((project) => !isWhole(project));

// Taken before the build: what changes meanwhile is built next time.
const from = fingerprint();
if (last?.from !== from || incomplete.length > 0) {
  const startedAt = performance.now();
  // On the standard error: the output of a command line goes into files.
  console.error('Building ...');
  rmSync(STAMP, { force: true });
  // tsc goes by its own record of a project and does not notice that files are gone.
  for (const project of incomplete) rmSync(join(project, 'tsconfig.tsbuildinfo'), { force: true });
  for (const program of [[TSC, '-b', ...apps], [BUILD_CONSOLE]]) {
    const { status } = spawnSync(process.execPath, program, { stdio: ['inherit', 2, 2] });
    if (status !== 0) process.exit(status ?? 1);
  }
  const built = projects
    .flatMap((project) => filesIn(join(project, 'dist')))
    .filter((path) => /\.(?:js|json)$/.test(path));
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, JSON.stringify({ from, built }));
  console.error(`Built in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
}
