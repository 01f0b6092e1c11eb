// Jest's runtime with three differences: it runs everything in the main context of Node (environment.mjs), loads
// packages with shared-packages.mjs, and loads the sources of the lower layers with shared-sources.mjs. It overrides
// functions with which Jest 30.5 loads modules; package.json pins that version.
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import Runtime from 'jest-runtime';
import { exportsOf, isShared, moduleOf } from './shared-packages.mjs';
import { isSharedSource, sharedSource } from './shared-sources.mjs';

/** The options that Jest passes when it transforms a module. */
const AS_MODULE = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

/** Path → compiled code of a worker, because Jest loads its own modules again for each test file. */
const compiled = new Map();

function compileAgain(source, parameters, options) {
  const before = compiled.get(options.filename);
  if (before?.source === source) return compileFunction(source, parameters, { ...options, cachedData: before.code });
  const made = compileFunction(source, parameters, { ...options, produceCachedData: true });
  compiled.set(options.filename, { source, code: made.cachedData });
  return made;
}

export default class SharedRuntime extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    const { esmLoader, executor } = this;
    const buildModule = esmLoader.buildCjsAsEsmSyntheticModule;
    const loadModule = esmLoader.loadEsmModule;
    esmLoader.getContext = () => undefined;
    esmLoader.buildCjsAsEsmSyntheticModule = (from, path, context) =>
      isShared(path) ? moduleOf(path) : buildModule.call(esmLoader, from, path, context);
    esmLoader.loadEsmModule = (path, suffix = '') =>
      isSharedSource(path) && suffix === '' && this.mockState.esmFactories.size === 0
        ? this.#shared(path)
        : loadModule.call(esmLoader, path, suffix);
    executor.compile = (source, filename) =>
      compileAgain(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (specifier, _function, attributes, phase) =>
          executor.dynamicImport(specifier, filename, undefined, attributes, phase),
      });
  }

  /**
   * The shared module of a source. A test file that replaces modules gets its own copies of the modules that import
   * them.
   */
  async #shared(path) {
    const { esmLoader, transformCache } = this;
    const registry = this.registries.getActiveEsmRegistry();
    const key = pathToFileURL(path).href;
    const module =
      registry.get(key) ??
      (await sharedSource(path, {
        resolve: (from, specifier) => this._resolution.resolveEsmAsync(from, specifier),
        transform: (source) => transformCache.transform(source, AS_MODULE),
        sourceMaps: transformCache.getSourceMaps(),
        importPackage: (specifier, from) => esmLoader.resolveModule(specifier, from, undefined),
      }));
    registry.set(key, module);
    return module;
  }

  unstable_shouldLoadAsEsm(path) {
    return !isShared(path) && super.unstable_shouldLoadAsEsm(path);
  }

  requireModule(from, name, options, isActual) {
    if (options?.isInternalModule || (name && this._resolution.isCoreModule(name))) {
      return super.requireModule(from, name, options, isActual);
    }
    const path = this._resolution.resolveCjs(from, name);
    return isShared(path) ? exportsOf(path) : super.requireModule(from, name, options, isActual);
  }
}
