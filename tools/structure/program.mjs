import { join, posix, relative } from 'node:path';
import ts from 'typescript';

const OPTIONS = {
  allowImportingTsExtensions: true,
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  noLib: true,
  target: ts.ScriptTarget.ES2023,
  types: [],
};

/**
 * All modules of a tree, without anything of node_modules: every resolved name belongs to this project.
 *
 * @typedef {object} Project
 * @property {import('./tree.mjs').Tree} tree
 * @property {readonly import('./tree.mjs').Package[]} packages
 * @property {ts.TypeChecker} checker
 * @property {ReadonlyMap<string, ts.SourceFile>} modules by path
 * @property {(specifier: string, from: string) => string | undefined} resolve the path of a module that `from` imports;
 *   undefined if it does not belong to this project
 *
 * @param {import('./tree.mjs').Tree} tree
 * @param {readonly import('./tree.mjs').Package[]} packages
 * @returns {Project}
 */
export function openProject(tree, packages) {
  const paths = tree.files.filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.ts'));
  const resolve = resolver(new Set(paths), packages);
  const toModule = (path) => ({
    resolvedModule: path && { resolvedFileName: join(tree.folder, path), extension: posix.extname(path) },
  });
  const host = {
    ...ts.createCompilerHost(OPTIONS),
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => toModule(resolve(text, relative(tree.folder, from)))),
  };
  const rootNames = paths.map((path) => join(tree.folder, path));
  const program = ts.createProgram({ rootNames, options: OPTIONS, host });
  const modules = new Map(paths.map((path) => [path, program.getSourceFile(join(tree.folder, path))]));
  return { tree, packages, checker: program.getTypeChecker(), modules, resolve };
}

function resolver(paths, packages) {
  const entries = new Map(packages.flatMap((one) => [...one.entries]));
  return (specifier, from) => {
    if (!specifier.startsWith('.')) return entries.get(specifier);
    const path = posix.join(posix.dirname(from), specifier);
    return paths.has(path) ? path : undefined;
  };
}

/** @returns {ts.Symbol} the symbol that the name refers to, through imports and exports */
export const resolved = (checker, symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/**
 * @returns {string | undefined} the file that declares the symbol, relative to the project; undefined if no file of
 *   this project declares it
 */
export function declaringFile({ tree, modules }, symbol) {
  const file = symbol.declarations?.[0]?.getSourceFile();
  const path = file && relative(tree.folder, file.fileName);
  return modules.has(path) ? path : undefined;
}
