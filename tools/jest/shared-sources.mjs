// The sources of libraries, loaded once per worker like packages: what their modules keep between calls is a cache, or
// belongs to the process. Apps, helpers of tests and the console are loaded again for each test file; no library
// imports them.
import { builtinModules, createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceTextModule } from 'node:vm';
import { projectsOf } from '../projects.mjs';
import { absorb, moduleFrom } from './shared-packages.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LOADED_AGAIN = new Set(['app', 'tool', 'testing', 'ui']);
const FOLDERS = projectsOf(ROOT)
  .filter(({ kind }) => !LOADED_AGAIN.has(kind))
  .map(({ root }) => `${ROOT}${root}/src/`.replaceAll('/', sep));
/** Helpers of tests are not shared, because they may keep state between calls. */
const OF_TESTS = /\.(?:test|fixture|test-data)\.ts$|[\\/](?:testing|fixtures|test-support)[\\/]/;
/** With Node 24 Jest builds a whole graph of modules at once, and a shared module cannot be put into it. */
const LOADS_ONE_BY_ONE = typeof SourceTextModule?.prototype.hasAsyncGraph !== 'function';

export const isSharedSource = (path) =>
  LOADS_ONE_BY_ONE && FOLDERS.some((folder) => path.startsWith(folder)) && path.endsWith('.ts') && !OF_TESTS.test(path);

const require = createRequire(import.meta.url);
const isCore = (specifier) => specifier.startsWith('node:') || builtinModules.includes(specifier);

/** Path → the module, and the path of its source map. */
const modules = new Map();
const coreModules = new Map();
const jsonModules = new Map();
/** The latest load. Loads run one after another, because a module cannot be evaluated while another graph links it. */
let loading = Promise.resolve();

/**
 * The evaluated module of a source.
 *
 * @param {string} path a shared source
 * @param {{ resolve: (from: string, specifier: string) => Promise<string>, transform: (path: string) => string,
 *   sourceMaps: Map<string, string>, importPackage: (specifier: string, from: string) =>
 *   Promise<import('node:vm').Module> }} runtime of the test file that imports it
 */
export async function sharedSource(path, runtime) {
  loading = loading.catch(() => undefined).then(() => load(path, runtime));
  await loading;
  for (const [loaded, { sourceMap }] of modules) if (sourceMap) runtime.sourceMaps.set(loaded, sourceMap);
  return modules.get(path).module;
}

async function load(path, runtime) {
  if (modules.get(path)?.module.status === 'evaluated') return;
  try {
    const { module } = modules.get(path) ?? build(path, runtime);
    await module.link((specifier, { identifier }) => linked(specifier, identifier, runtime));
    await absorb(() => module.evaluate());
  } finally {
    // Modules that could not be loaded are forgotten, so that the next file that imports them starts anew.
    for (const [built, { module }] of modules) if (module.status !== 'evaluated') modules.delete(built);
  }
}

async function linked(specifier, from, runtime) {
  if (isCore(specifier)) return coreModule(specifier);
  const path = await runtime.resolve(from, specifier);
  if (isSharedSource(path)) return (modules.get(path) ?? build(path, runtime)).module;
  if (path.endsWith('.json')) return jsonModule(path);
  if (path.includes(`${sep}node_modules${sep}`)) return runtime.importPackage(specifier, from);
  throw new Error(
    `${from} is loaded once for all test files, and imports ${path}, which is not: see tools/jest/shared-sources.mjs`,
  );
}

function build(path, runtime) {
  const module = new SourceTextModule(runtime.transform(path), {
    identifier: path,
    importModuleDynamically: (specifier) => {
      throw new Error(`${path} is loaded once for all test files and imports ${specifier} later, which it cannot`);
    },
    initializeImportMeta: (meta) => {
      meta.url = pathToFileURL(path).href;
      meta.filename = path;
      meta.dirname = dirname(path);
    },
  });
  const built = { module, sourceMap: runtime.sourceMaps.get(path) };
  modules.set(path, built);
  return built;
}

/** All test files share the value, so tests must not change it. */
function jsonModule(path) {
  if (!jsonModules.has(path)) jsonModules.set(path, moduleFrom(path, require(path)));
  return jsonModules.get(path);
}

function coreModule(specifier) {
  const name = specifier.replace(/^node:/, '');
  if (!coreModules.has(name)) coreModules.set(name, moduleFrom(specifier, require(specifier)));
  return coreModules.get(name);
}
