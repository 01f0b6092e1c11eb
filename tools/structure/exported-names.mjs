import { posix } from 'node:path';
import { isGenerated } from '../ceilings/limits.mjs';
import { importsOf } from './imports.mjs';
import { declaringFile, resolved } from './program.mjs';

/**
 * The names that the indexes of libraries export: of `exports["."]` in the package.json. Names that a generated file declares do not count.
 *
 * @typedef {object} ExportedName
 * @property {string} library
 * @property {string} name
 * @property {object} declared the symbol behind it
 *
 * @param {import('./program.mjs').Project} project
 * @returns {readonly ExportedName[]}
 */
export function exportedNames(project) {
  const libraries = project.packages.filter(({ isLibrary, isForTests }) => isLibrary && !isForTests);
  return libraries.flatMap((library) => namesOf(project, library)).filter((one) => isHandWritten(project, one));
}

function namesOf({ modules, checker }, { name: library, entries }) {
  const index = modules.get(entries.get(library));
  if (index === undefined) return [];
  const exports = checker.getExportsOfModule(checker.getSymbolAtLocation(index));
  return exports.map((symbol) => ({ library, name: symbol.name, declared: resolved(checker, symbol) }));
}

function isHandWritten(project, { declared }) {
  const path = declaringFile(project, declared);
  return path === undefined || !isGenerated(path, project.modules.get(path).text);
}

/**
 * @param {import('./program.mjs').Project} project
 * @param {readonly ExportedName[]} names
 * @returns {readonly string[]} `@laurel/points: Name` for each name that no file of another package, of a tool or of an
 *   example imports; imports in tests and benchmarks count too
 */
export function namesImportedNowhere(project, names) {
  const used = usedNames(project);
  const isUsed = ({ library, name }) => used.has(library) || used.has(`${library}: ${name}`);
  return names.filter((one) => !isUsed(one)).map(({ library, name }) => `${library}: ${name}`);
}

/** Imports as `library: name`, or only `library` if all of its names are imported. */
function usedNames({ modules, packages }) {
  const used = new Set();
  const importable = importablePackages(packages);
  for (const [path, module] of modules)
    for (const { specifier, names } of importsOf(module)) {
      const library = importable.get(
        specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier,
      );
      if (library === undefined || path.startsWith(`${library.folder}/`)) continue;
      if (names) for (const name of names) used.add(`${library.name}: ${name}`);
      else used.add(library.name);
    }
  return used;
}

/** Packages by name and by the paths of their indexes: tools import the sources or the built files. */
const importablePackages = (packages) =>
  new Map(
    packages.flatMap((one) =>
      [one.name, `${one.folder}/src/index.ts`, `${one.folder}/dist/index.js`].map((key) => [key, one]),
    ),
  );

/**
 * @param {import('./program.mjs').Project} project
 * @param {readonly ExportedName[]} names
 * @returns {readonly string[]} `Name: file, file` for each name that libraries export for different declarations
 */
export function namesDeclaredTwice(project, names) {
  const byName = groupedByName(names);
  const several = [...byName].map(([name, all]) => [name, new Set(all.map(({ declared }) => declared))]);
  return several
    .filter(([, symbols]) => symbols.size > 1)
    .map(([name, symbols]) => `${name}: ${[...symbols].map((symbol) => declaringFile(project, symbol)).join(', ')}`)
    .sort();
}

function groupedByName(names) {
  const groups = new Map();
  for (const one of names) groups.set(one.name, [...(groups.get(one.name) ?? []), one]);
  return groups;
}
