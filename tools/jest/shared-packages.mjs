// The packages of node_modules, loaded by Node itself and once per worker. Everything else is loaded again for each test file.
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { types } from 'node:util';
import { SyntheticModule } from 'node:vm';
import { Baseline } from './baseline.mjs';

const require = createRequire(import.meta.url);
const IN_PACKAGES = `${sep}node_modules${sep}`;

const baseline = new Baseline();

/** Path → what the package exports, or null for one that Node cannot load synchronously. */
const loaded = new Map();
/** Path → the same, as modules of our sources import it. */
const modules = new Map();

/** Whether a file belongs to a package that is loaded once. */
export const isShared = (path) => path.includes(IN_PACKAGES) && path.endsWith('js') && exportsOf(path) !== null;

/** What `require` gives. */
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

/** What `import` gives: of CommonJS, its properties and the whole as `default`. */
export function moduleOf(path) {
  if (!modules.has(path)) modules.set(path, moduleFrom(path, exportsOf(path)));
  return modules.get(path);
}

function moduleFrom(path, exports) {
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

/** Undoes what the file that has ended changed for those behind it. */
export function restoreBaseline() {
  baseline.restore();
  // Zod holds the schemas that were given an id.
  globalThis.__zod_globalRegistry?.clear();
}
