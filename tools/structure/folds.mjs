import ts from 'typescript';
import { isTesting } from '../ceilings/limits.mjs';

/**
 * @param {import('./program.mjs').Project} project
 * @param {string} name of the call that applies an event to the state of an area: of a function, or of a variable and a method
 * @returns {readonly string[]} the files of libraries and apps that call it, without tests
 */
export function filesThatCall({ modules }, name) {
  const isOurs = (path) => /^(?:apps|libs)\//.test(path) && !isTesting(path);
  return [...modules].filter(([path, module]) => isOurs(path) && calls(module, name)).map(([path]) => path);
}

function calls(node, name) {
  if (ts.isCallExpression(node) && namesOf(node.expression).includes(name)) return true;
  return ts.forEachChild(node, (child) => calls(child, name) || undefined) ?? false;
}

/** `area.apply(…)` → `apply` and `area.apply` */
const namesOf = (callee) =>
  ts.isPropertyAccessExpression(callee)
    ? [callee.name.text, `${callee.expression.text}.${callee.name.text}`]
    : [callee.text];
