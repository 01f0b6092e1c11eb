import ts from 'typescript';
import { isTesting } from '../ceilings/limits.mjs';

/**
 * @param {import('./program.mjs').Project} project
 * @param {string} name of the function that applies the areas to a user
 * @returns {readonly string[]} the files of libraries and apps that call it, without tests
 */
export function filesThatCall({ modules }, name) {
  const isOurs = (path) => /^(?:apps|libs)\//.test(path) && !isTesting(path);
  return [...modules].filter(([path, module]) => isOurs(path) && calls(module, name)).map(([path]) => path);
}

function calls(node, name) {
  if (ts.isCallExpression(node) && calledName(node.expression) === name) return true;
  return ts.forEachChild(node, (child) => calls(child, name) || undefined) ?? false;
}

const calledName = (callee) => (ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.text);
