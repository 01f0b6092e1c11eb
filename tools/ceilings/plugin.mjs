import { join, relative } from 'node:path';
import { KINDS } from './kinds.mjs';
import { isHeld } from './limits.mjs';
import { numbersOf } from './list.mjs';
import { visitorOf } from './visit.mjs';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = 'node tools/lower-ceilings.mjs';

/**
 * ESLint rules, one for each limit. They report a number that exceeds its limit and has no ceiling, a number that
 * exceeds its ceiling, and a ceiling that can be lowered.
 *
 * @param {import('./list.mjs').Ceilings} ceilings
 * @returns {import('eslint').ESLint.Plugin}
 */
export const ceilingsPlugin = (ceilings) => ({
  rules: Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, holding(name, kind, ceilings)])),
});

const holding = (name, kind, ceilings) => ({
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const path = relative(ROOT, context.filename);
    if (!isHeld(path, context.sourceCode.text)) return {};
    const whenDone = (findings) => {
      const problems = problemsOf(kind, findings, { path, ceilings: numbersOf(ceilings[path]?.[name]) });
      for (const { message, report } of problems) context.report({ ...placeOf(report), message });
    };
    return visitorOf(kind, context, { path, whenDone });
  },
});

const placeOf = (report) =>
  report === undefined ? { loc: { line: 1, column: 0 } } : { loc: report.loc ?? report.node.loc };

/**
 * @param {import('./kinds.mjs').Kind} kind
 * @param {readonly { name: string | null, number: number, report?: object }[]} findings all numbers that exceed the
 *   limit
 * @param {{ path: string, ceilings: readonly (readonly [string | null, number])[] }} file
 * @returns {readonly { message: string, report?: object }[]}
 */
function problemsOf(kind, findings, { path, ceilings }) {
  const known = new Map(ceilings);
  const present = new Set(findings.map(({ name }) => name));
  const found = findings.map(({ name, number, report }) => ({
    message: messageOf(kind.says(number, name), { number, ceiling: known.get(name), limit: kind.limit(path) }),
    report,
  }));
  const gone = ceilings
    .filter(([name]) => !present.has(name))
    .map(([name, ceiling]) => ({
      message: `${kind.says(ceiling, name)} no longer: remove this ceiling with ${COMMAND}`,
    }));
  return [...found.filter(({ message }) => message !== null), ...gone];
}

/** Returns null if the number equals its ceiling. */
function messageOf(says, { number, ceiling, limit }) {
  if (ceiling === undefined) return `${says}, more than ${limit}`;
  if (number > ceiling) return `${says}, more than its ceiling of ${ceiling}`;
  return number < ceiling ? `${says}: lower its ceiling of ${ceiling} to ${number} with ${COMMAND}` : null;
}
