import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** @returns {Readonly<Record<string, string>>} */
export const readTerms = () => JSON.parse(readFileSync(join(import.meta.dirname, 'words.json'), 'utf8'));

/**
 * An ESLint rule against words that are not terms of this field. It checks the names that a file declares and the name
 * of the file, word by word: `threshold` does not contain the word `hold`. It ignores properties, because the names of
 * stored and sent fields are properties.
 *
 * @param {Readonly<Record<string, string>>} terms the replacement for each word. A word in capitals is forbidden only
 *   in capitals: `Span` forbids `AppliedSpan`, but not `span`. A word in small letters is forbidden in both forms.
 * @returns {import('eslint').ESLint.Plugin}
 */
export const wordsPlugin = (terms) => ({
  rules: { names: { meta: { type: 'suggestion', schema: [] }, create: (context) => checked(context, terms) } },
});

function checked(context, terms) {
  const check = (name, loc) => {
    const term = forbiddenIn(name, terms);
    if (term !== null) context.report({ loc, message: `${name} holds ${term}; say ${terms[term]}` });
  };
  return {
    Program: () => check(nameOfFile(context.filename), { line: 1, column: 0 }),
    ':matches(Identifier, PrivateIdentifier)': (node) => {
      if (isDeclared(node)) check(node.name, node.loc);
    },
  };
}

/** The name of a file as an identifier: `append-lane.unit.test.ts` becomes `AppendLane`. */
const nameOfFile = (path) =>
  basename(path)
    .replace(/\..*$/, '')
    .replaceAll(/(?:^|-)(\w)/g, (_, first) => first.toUpperCase());

const METHODS = ['MethodDefinition', 'TSMethodSignature', 'TSAbstractMethodDefinition'];
const NAMED_BY_ID = /^(Function|Class|VariableDeclarator|TS(Interface|TypeAlias|Enum))/;

/** Whether the identifier declares a name here that is not the name of a property. */
function isDeclared(node) {
  const { parent } = node;
  if (parent.params?.includes(node) || parent.id === node) return parent.id !== node || NAMED_BY_ID.test(parent.type);
  if (METHODS.includes(parent.type)) return parent.key === node;
  if (parent.type === 'TSTypeParameter') return parent.name === node;
  if (parent.type === 'Property') return parent.value === node && parent.parent.type === 'ObjectPattern';
  if (parent.type === 'AssignmentPattern') return parent.left === node;
  return ['ArrayPattern', 'RestElement'].includes(parent.type);
}

/**
 * @param {string} name
 * @param {Readonly<Record<string, string>>} terms
 * @returns {string | null} the first of the terms that the name contains, or null
 */
function forbiddenIn(name, terms) {
  const words = wordsOf(name.replaceAll('AnswerParts', 'AnswerPart'));
  return Object.keys(terms).find((term) => holds(words, wordsOf(term), term)) ?? null;
}

const wordsOf = (name) =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) =>
    /^[A-Z]{2,}$/.test(word) ? word[0] + word.slice(1).toLowerCase() : word,
  );

function holds(words, wanted, term) {
  const anyCase = /^[a-z]/.test(term);
  const same = (word, want) => word === want || (anyCase && word?.toLowerCase() === want.toLowerCase());
  return words.some((_, first) =>
    wanted.every((want, index) => {
      const word = words[first + index];
      return same(word, want) || (index === wanted.length - 1 && word?.endsWith('s') && same(word.slice(0, -1), want));
    }),
  );
}
