import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';
import { LIMITS, maxParameters } from './limits.mjs';

export const CODE_ONLY = { skipBlankLines: true, skipComments: true };

/**
 * The limits, each measured by a rule of ESLint or typescript-eslint.
 *
 * @typedef {object} Kind
 * @property {import('eslint').Rule.RuleModule} rule reports what exceeds the options
 * @property {(path: string) => readonly unknown[]} options of the rule
 * @property {(report: object) => number} [numberOf] the number that a report contains; without it, the number of a file
 *   is its number of reports
 * @property {boolean} [isNamed] whether each function has a number of its own; otherwise the file has one
 * @property {(node: object, sourceCode: object) => boolean} [isExempt]
 * @property {(number: number, name?: string) => string} says the number in words
 * @property {(path: string) => number} limit
 *
 * @type {Readonly<Record<'lines' | 'functions' | 'parameters' | 'spreads', Kind>>}
 */
export const KINDS = {
  lines: {
    rule: builtinRules.get('max-lines'),
    options: () => [{ max: LIMITS.lines, ...CODE_ONLY }],
    numberOf: ({ data }) => data.actual,
    says: (number) => `the file has ${number} lines of code`,
    limit: () => LIMITS.lines,
  },
  functions: {
    rule: builtinRules.get('max-lines-per-function'),
    options: () => [{ max: LIMITS.functions, IIFEs: true, ...CODE_ONLY }],
    numberOf: ({ data }) => data.lineCount,
    isNamed: true,
    isExempt: returnsJsx,
    says: (number, name) => `${name} has ${number} lines of code`,
    limit: () => LIMITS.functions,
  },
  parameters: {
    rule: tseslint.plugin.rules['max-params'],
    options: (path) => [{ max: maxParameters(path) }],
    numberOf: ({ data }) => data.count,
    isNamed: true,
    isExempt: isInjected,
    says: (number, name) => `${name} has ${number} positional parameters`,
    limit: maxParameters,
  },
  spreads: {
    rule: builtinRules.get('no-restricted-syntax'),
    options: () => ['SpreadElement > ObjectExpression'],
    says: (number) => `the file spreads ${number} object ${number === 1 ? 'literal' : 'literals'}`,
    limit: () => LIMITS.spreads,
  },
};

/** Nest passes one parameter for each dependency to the constructor of a class that has a decorator. */
function isInjected({ parent }) {
  return parent.kind === 'constructor' && parent.parent.parent.decorators?.length > 0;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * Whether a function is a component of the console, where markup takes a line for each element. The functions inside a
 * component are measured separately.
 */
function returnsJsx(node, { visitorKeys }) {
  const isMarkup = ({ type }) => type === 'JSXElement' || type === 'JSXFragment';
  const childrenOf = (parent) =>
    (visitorKeys[parent.type] ?? []).flatMap((key) => parent[key] ?? []).filter((child) => child !== null);
  const holdsMarkup = (child) => isMarkup(child) || (!FUNCTIONS.has(child.type) && childrenOf(child).some(holdsMarkup));
  return childrenOf(node.value ?? node).some(holdsMarkup);
}
