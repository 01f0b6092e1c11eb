// Builds the apps and the console if a source or a setting has changed since the last build here, or if a built file is
// missing. Detecting this takes milliseconds, which is faster than `tsc -b`. Plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectsOf, rootOf } from './projects.mjs';

/** The record of the last build. It lies in node_modules, so that `npm ci` removes it together with the compiler. */
const STAMP = 'node_modules/.cache/laurel/built';
/** This file contains the id of the process that builds. */
const LOCK = 'node_modules/.cache/laurel/building';
/** Exists while a command removes the lock of one that was killed. */
const REMOVING = `${LOCK}-abandoned`;
const ABANDONED_MS = 5_000;
const TSC = 'tools/compiler/tsc.mjs';
const CONSOLE = rootOf(projectsOf(), '@laurel/console');
const BUILD_CONSOLE = 'tools/build-console.mjs';
const BUILD_SERVICES = 'tools/build-services.mjs';
const LAUNCHER = 'tools/compiler/launch-service.mjs';
const CLIENT_TYPES = ['types-of.mjs', 'write-client-types.mjs'].map((file) => `tools/client-types/${file}`);
/** Files that the build itself generates from other sources. */
const GENERATED = /[\\/]generated[\\/]/;

const apps = readdirSync('apps')
  .map((name) => join('apps', name))
  .filter((app) => existsSync(join(app, 'tsconfig.json')));
const projects = [...apps.reduce(withReferences, new Set())];

/**
 * A project and all that it refers to. Libraries that only tests use are not among them; they are built where all
 * packages are installed.
 */
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

/** A hash of the names, sizes and times of everything that a build depends on. */
function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const path of [...settings, ...sources].sort()) {
    const file = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path}\0${file?.size}\0${file?.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The fingerprint and the files of the last build, or null if none is known. */
function lastBuild() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    // There was no build, or its record was not written completely.
    return null;
  }
}
const isWhole = (project, last) =>
  existsSync(join(project, 'dist')) &&
  (last?.built ?? []).every((path) => !path.startsWith(join(project, 'dist')) || existsSync(path));

/**
 * The projects to build and the fingerprint of their sources, or null if nothing must be built. The fingerprint is
 * taken before the build, so that a later change is built next time.
 */
function toBuild() {
  const last = lastBuild();
  const from = fingerprint();
  const incomplete = projects.filter((project) => !isWhole(project, last));
  return last?.from === from && incomplete.length === 0 ? null : { from, incomplete };
}

/** Of several commands at the same time, one builds. The others wait and then have nothing to build. */
function whileAlone(work) {
  mkdirSync(dirname(LOCK), { recursive: true });
  while (!isTaken()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  process.once('exit', () => rmSync(LOCK, { force: true }));
  work();
}

/**
 * Creates the lock file. Returns false if another command is building; the lock of a command that was killed is
 * removed.
 */
function isTaken() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isRunning(holder())) removeAbandoned();
    return false;
  }
}

/** One command at a time looks again and removes: otherwise a second one would remove the lock that the first has just taken. */
function removeAbandoned() {
  try {
    writeFileSync(REMOVING, '', { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (ageOf(REMOVING) > ABANDONED_MS) rmSync(REMOVING, { force: true });
    return;
  }
  if (!isRunning(holder())) rmSync(LOCK, { force: true });
  rmSync(REMOVING, { force: true });
}

/** In milliseconds; negative if the file has gone. */
const ageOf = (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);

/** The id of the process that builds, or 0 if the lock file has no id yet or has gone. */
function holder() {
  try {
    return Number(readFileSync(LOCK, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  // Without an id, the process is about to write it, or has just ended. A lock that stays empty was left by a killed
  // process.
  if (pid === 0) return ageOf(LOCK) < ABANDONED_MS;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function buildAll({ from, incomplete }) {
  const startedAt = performance.now();
  // Written to standard error, because the output of a command line is often redirected into files.
  console.error('Building ...');
  rmSync(STAMP, { force: true });
  // tsc relies on its own record of a project and does not notice missing files.
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
