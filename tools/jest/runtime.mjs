// Jest's runtime, with two differences: it runs everything in Node's own context (environment.mjs), and leaves packages to
// shared-packages.mjs. It overrides what Jest 30.5 loads modules with; package.json pins that version.
import { compileFunction } from 'node:vm';
import Runtime from 'jest-runtime';
import { exportsOf, isShared, moduleOf } from './shared-packages.mjs';

export default class SharedRuntime extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    const { esmLoader, executor } = this;
    const buildModule = esmLoader.buildCjsAsEsmSyntheticModule;
    esmLoader.getContext = () => undefined;
    esmLoader.buildCjsAsEsmSyntheticModule = (from, path, context) =>
      isShared(path) ? moduleOf(path) : buildModule.call(esmLoader, from, path, context);
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (specifier, _function, attributes, phase) =>
          executor.dynamicImport(specifier, filename, undefined, attributes, phase),
      });
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
