import ts from 'typescript';

/**
 * @typedef {object} Import
 * @property {string} specifier
 * @property {readonly string[] | null} names the imported names as the module exports them; null if all or unknown
 *   names are imported
 *
 * @param {ts.SourceFile} module
 * @returns {readonly Import[]} imports, exports from other modules, `import('…')` in code and in types
 */
export function importsOf(module) {
  const found = [];
  const visit = (node) => {
    const one = importOf(node);
    if (one !== null) found.push(one);
    ts.forEachChild(node, visit);
  };
  visit(module);
  return found;
}

function importOf(node) {
  if (ts.isImportDeclaration(node)) return { specifier: node.moduleSpecifier.text, names: importedNames(node) };
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
    return { specifier: node.moduleSpecifier.text, names: node.exportClause && elementNames(node.exportClause) };
  if (ts.isImportTypeNode(node)) return { specifier: node.argument.literal.text, names: qualifierNames(node) };
  if (isDynamic(node)) return { specifier: node.arguments[0].text, names: awaitedNames(node) };
  return null;
}

const isDynamic = (node) =>
  ts.isCallExpression(node) &&
  node.expression.kind === ts.SyntaxKind.ImportKeyword &&
  ts.isStringLiteralLike(node.arguments[0]);

function importedNames({ importClause }) {
  if (importClause === undefined) return [];
  const { name, namedBindings } = importClause;
  const names = namedBindings === undefined ? [] : elementNames(namedBindings);
  return name === undefined || names === null ? names : ['default', ...names];
}

/** Returns null for `* as name`. */
function elementNames(bindings) {
  if (ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) return null;
  return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
}

/** The imported name of `import('…').Name`. */
function qualifierNames({ qualifier }) {
  if (qualifier === undefined) return null;
  let first = qualifier;
  while (ts.isQualifiedName(first)) first = first.left;
  return [first.text];
}

/** The imported names of `(await import('…')).name` and `const { name } = await import('…')`. */
function awaitedNames(call) {
  if (!ts.isAwaitExpression(call.parent)) return null;
  const user = call.parent.parent;
  if (ts.isParenthesizedExpression(user) && ts.isPropertyAccessExpression(user.parent)) return [user.parent.name.text];
  return ts.isVariableDeclaration(user) && ts.isObjectBindingPattern(user.name) ? elementNames(user.name) : null;
}
