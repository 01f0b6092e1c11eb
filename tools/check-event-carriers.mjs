// Checks that ARCHITECTURE.md's list of the types that carry one event from request to answer matches the code: npm run
// lint.
import ts from 'typescript';

/** More types than this are too many for a reader to keep in mind. */
export const MOST_CARRIERS = 7;

/** The files on the path of an event that are checked, except tests and files that only corrections use. */
const PLACES = [
  'libs/api/ingestion/src/commands.ts',
  'libs/api/ingestion/src/record-event.ts',
  'libs/engine/src/folding/',
  'libs/engine/src/single-writer/',
  'libs/kernel/src/',
];
const LEFT_OUT = /\.(?:test|fixture)\.ts$|\/fixtures\/|correct|event-order/;
/**
 * Types that hold a record with its outcome but are not on its path: one waits for a halted area or travels between
 * processes, one is read by followers of the log, one is folded for an explanation.
 */
const BESIDE = ['ChainMessage', 'FoldedEvent', 'RecentEvent'];

export const isLookedAt = (path) =>
  PLACES.some((place) => path.startsWith(place)) && path.endsWith('.ts') && !LEFT_OUT.test(path);

/** The list between the marks: each type and the file that declares it, in the order of the path. */
export function carrierRows(markdown) {
  const marked = /<!-- carriers[^]*?-->([^]*?)<!-- \/carriers -->/.exec(markdown)?.[1] ?? '';
  return marked.split('→').flatMap((step) => {
    const [, type, file] = /`(\w+)`[^(]*\(`([^`]+)`\)/.exec(step) ?? [];
    return file === undefined ? [] : [{ type, file }];
  });
}

/**
 * The differences between the list and the code.
 *
 * @param sources by path, the text of each file that is checked or that the list names
 */
export function carrierProblems(rows, sources) {
  const types = new Set(rows.map(({ type }) => type));
  const problems = rows.length === 0 ? ['none is named'] : [];
  if (rows.length > MOST_CARRIERS) problems.push(`${rows.length} types, more than ${MOST_CARRIERS}`);
  for (const { type, file } of rows)
    if (!declarationsIn(file, sources.get(file) ?? '').some(({ name }) => name === type))
      problems.push(`${file} declares no ${type}`);
  for (const [path, text] of sources)
    for (const { name, members } of declarationsIn(path, text))
      for (const carried of members)
        if (types.has(carried) && !types.has(name) && !BESIDE.includes(name))
          problems.push(`${name} (${path}) holds or restates a ${carried}, and is not named`);
  return problems;
}

/**
 * The types that a file declares, each with the types that it restates or that one of its members holds. A type in a
 * list or in a function does not count as held.
 */
function declarationsIn(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return source.statements
    .filter((statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    .map((statement) => ({
      name: statement.name.text,
      members: [...new Set([...restatedBy(statement), ...membersOf(statement)])],
    }));
}

/** The types that an interface extends, as a whole or in part. */
const restatedBy = ({ heritageClauses = [] }) =>
  heritageClauses.flatMap(({ types }) =>
    types.flatMap(({ expression, typeArguments: [first] = [] }) =>
      ['Omit', 'Pick', 'Partial'].includes(expression.text) ? [...typesIn(first)] : [expression.text],
    ),
  );

function* membersOf(node) {
  if (ts.isPropertySignature(node) && node.type) yield* typesIn(node.type);
  else for (const child of childrenOf(node)) yield* membersOf(child);
}

function* typesIn(type) {
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) for (const part of type.types) yield* typesIn(part);
  else if (ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName)) yield type.typeName.text;
  else if (ts.isTypeLiteralNode(type)) yield* membersOf(type);
}

function childrenOf(node) {
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}
