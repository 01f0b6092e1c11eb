import { functionName } from './function-name.mjs';

/**
 * A number that exceeds a limit.
 *
 * @typedef {object} Finding
 * @property {string | null} name of a function, or null if the number is that of the whole file
 * @property {number} number
 * @property {object} report of the rule
 */

/**
 * Visits a file with the rule of a kind and keeps its reports to itself.
 *
 * @param {import('./kinds.mjs').Kind} kind
 * @param {import('eslint').Rule.RuleContext} context
 * @param {{ path: string, options?: readonly unknown[], whenDone: (findings: readonly Finding[]) => void }} order
 * @returns {import('eslint').Rule.RuleListener}
 */
export function visitorOf(kind, context, { path, options = kind.options(path), whenDone }) {
  const reports = [];
  const own = { report: { value: (report) => reports.push(report) }, options: { value: options } };
  const visitor = kind.rule.create(Object.create(context, own));
  return {
    ...visitor,
    'Program:exit'(node) {
      visitor['Program:exit']?.(node);
      const counted = reports.filter((report) => !kind.isExempt?.(report.node, context.sourceCode));
      whenDone(combined(kind, counted));
    },
  };
}

/**
 * Of several functions with the same name, the second and later ones get a number after the name. A kind without
 * `numberOf` counts its reports.
 */
function combined(kind, reports) {
  const findings = reports.map((report) => findingOf(kind, report));
  if (kind.numberOf === undefined && findings.length > 0) return [{ ...findings[0], number: findings.length }];
  const seen = new Map();
  return findings.map((finding) => {
    const count = (seen.get(finding.name) ?? 0) + 1;
    seen.set(finding.name, count);
    return count === 1 ? finding : { ...finding, name: `${finding.name} (${count})` };
  });
}

const findingOf = (kind, report) => ({
  name: kind.isNamed ? functionName(report.node) : null,
  number: kind.numberOf?.(report) ?? 1,
  report,
});
