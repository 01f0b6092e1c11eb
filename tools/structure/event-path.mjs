import ts from 'typescript';
import { declaringFile, resolved } from './program.mjs';

const HEADING = /^## The (?:path|road) of an event$/m;
const FILE = /(?:apps|libs)\/[\w./-]+\.tsx?(?![\w.])/g;
const TYPE = ts.SymbolFlags.Class | ts.SymbolFlags.Enum | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias;

/** @returns {readonly string[]} the files that ARCHITECTURE.md names in its list of steps from request to answer */
export function filesOnEventPath(architecture) {
  const heading = HEADING.exec(architecture);
  if (heading === null) throw new Error('ARCHITECTURE.md has no heading "The path of an event"');
  const [, block = ''] = /```text\n([^]*?)```/.exec(architecture.slice(heading.index)) ?? [];
  return [...new Set(block.match(FILE) ?? [])];
}

/**
 * Counts each class, interface, type alias and enum of this project once that a file names: those that it declares, and
 * those that it imports, whichever module re-exports them. Not counted are types of packages (even if a file extends
 * them), type parameters, and types that are only inferred.
 *
 * @param {import('./program.mjs').Project} project
 * @param {readonly string[]} paths
 * @returns {{ names: readonly string[], byFile: Record<string, number> }} `names`: `Name (file that declares it)`,
 *   sorted
 */
export function typesNamedIn(project, paths) {
  const perFile = paths.map((path) => [path, typesOf(project, project.modules.get(path))]);
  const all = new Set(perFile.flatMap(([, types]) => [...types]));
  const names = [...all].map((symbol) => `${symbol.name} (${declaringFile(project, symbol)})`).sort();
  return { names, byFile: Object.fromEntries(perFile.map(([path, types]) => [path, types.size])) };
}

function typesOf(project, module) {
  const found = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node) && !isMemberName(node)) add(found, project, node);
    ts.forEachChild(node, visit);
  };
  visit(module);
  return found;
}

/** Member names are skipped: they name no type, and resolving them would need the types of packages. */
const isMemberName = (node) => ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;

function add(found, project, identifier) {
  const named = project.checker.getSymbolAtLocation(identifier);
  if (named === undefined) return;
  const symbol = resolved(project.checker, named);
  if (symbol.flags & TYPE && declaringFile(project, symbol) !== undefined && !isOfPackage(symbol)) found.add(symbol);
}

/** Whether a type is declared in `declare module 'package'`. */
const isOfPackage = ({ declarations: [{ parent }] }) =>
  ts.isModuleBlock(parent) && ts.isStringLiteral(parent.parent.name);
