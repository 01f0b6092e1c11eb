// The packages of node_modules, loaded by Node itself and once per worker. Everything else is loaded again for each test file.
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { types } from 'node:util';
import { SyntheticModule } from 'node:vm';
import { Baseline } from './baseline.mjs';

const require = createRequire(import.meta.url);
const IN_PACKAGES = `${sep}node_modules${sep}`;

const baseline = new Baseline();

/** Path → exports of the package, or null if Node cannot load it synchronously. */
const loaded = new Map();
/** Path → the same exports as an ES module, as our sources import it. */
const modules = new Map();

/** Whether a file belongs to a package that is loaded only once per worker. */
export const isShared = (path) => path.includes(IN_PACKAGES) && path.endsWith('js') && exportsOf(path) !== null;

/** The value that `require` returns for this file. */
export function exportsOf(path) {
  if (!loaded.has(path))
    loaded.set(
      path,
      baseline.absorb(() => load(path)),
    );
  return loaded.get(path)?.exports ?? null;
}

function load(path) {
  try {
    const exports = require(path);
    // Nest sets the logger of an application for the whole process.
    if (exports.Logger?.overrideLogger) baseline.guard(exports.Logger);
    return { exports };
  } catch (error) {
    if (error.code === 'ERR_REQUIRE_ASYNC_MODULE') return null;
    throw error;
  }
}

/**
 * The module that `import` gives. For CommonJS, it has the properties of the exports, and the whole of them as
 * `default`.
 */
export function moduleOf(path) {
  if (!modules.has(path)) modules.set(path, moduleFrom(path, exportsOf(path)));
  return modules.get(path);
}

export function moduleFrom(path, exports) {
  const named = exports !== null && ['object', 'function'].includes(typeof exports) ? Object.keys(exports) : [];
  const values = new Map(named.map((name) => [name, exports[name]]));
  if (!types.isModuleNamespaceObject(exports)) values.set('default', exports).set('module.exports', exports);
  return new SyntheticModule(
    [...values.keys()],
    function () {
      for (const [name, value] of values) this.setExport(name, value);
    },
    { identifier: path },
  );
}

/** Undoes the changes of a test file that has ended, before the next one runs. */
export function restoreBaseline() {
  const entities = entitiesOf();
  baseline.restore();
  restoreSchemas();
  restoreEntities(entities);
}

/** Changes that the loading of a shared source makes are kept for all files, see `Baseline.absorb`. */
export function absorb(load) {
  const schemas = new Map(namedSchemas());
  const lengths = new Map(Object.entries(entitiesOf()).map(([list, entries]) => [list, entries.length]));
  try {
    return baseline.absorb(load);
  } finally {
    for (const [id, schema] of namedSchemas()) if (schemas.get(id) !== schema) sharedSchemas.set(id, schema);
    for (const [list, entries] of Object.entries(entitiesOf()))
      sharedEntities.set(list, [...(sharedEntities.get(list) ?? []), ...entries.slice(lengths.get(list))]);
  }
}

/** Zod's registry of the schemas that were given an id. */
const namedSchemas = () => globalThis.__zod_globalRegistry?._idmap ?? new Map();
const sharedSchemas = new Map();

function restoreSchemas() {
  const schemas = namedSchemas();
  for (const [id, schema] of schemas)
    if (sharedSchemas.get(id) !== schema) globalThis.__zod_globalRegistry.remove(schema);
  for (const [id, schema] of sharedSchemas) schemas.set(id, schema);
}

/** TypeORM's lists of what decorators declare. */
const entitiesOf = () => globalThis.typeormMetadataArgsStorage ?? {};
const sharedEntities = new Map();

function restoreEntities(entities) {
  if (sharedEntities.size === 0) return;
  for (const list of Object.keys(entities)) entities[list] = [...(sharedEntities.get(list) ?? [])];
  globalThis.typeormMetadataArgsStorage = entities;
}
