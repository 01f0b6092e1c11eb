import { findingsIn } from '../ceilings/findings.mjs';
import { isGenerated, isTesting } from '../ceilings/limits.mjs';

/**
 * Lines of code, without blank lines and comments, and the numbers that exceed the limits of tools/ceilings. Files for
 * tests do not count.
 *
 * @typedef {object} Sizes
 * @property {{ handWritten: number, generated: number }} codeLines
 * @property {readonly { path: string, number: number }[]} lines files with too many lines
 * @property {readonly { path: string, name: string, number: number }[]} functions functions with too many lines
 * @property {readonly { path: string, name: string, number: number }[]} parameters functions with too many positional
 *   parameters
 * @property {readonly { path: string, number: number }[]} spreads files that spread object literals, and how many
 *
 * @param {import('./tree.mjs').Tree} tree
 * @returns {Promise<Sizes>} the largest numbers first
 */
export async function sizesOf(tree) {
  const sizes = { codeLines: { handWritten: 0, generated: 0 }, lines: [], functions: [], parameters: [], spreads: [] };
  const isSource = (path) => /^(?:apps|libs)\/.*\.tsx?$/.test(path) && !isTesting(path);
  for (const path of tree.files.filter(isSource)) await addFile(sizes, path, tree.read(path));
  for (const kind of KINDS) sizes[kind].sort((one, other) => other.number - one.number);
  return sizes;
}

const KINDS = ['lines', 'functions', 'parameters', 'spreads'];

async function addFile(sizes, path, text) {
  const { codeLines, numbers } = await findingsIn(path, text);
  if (isGenerated(path, text)) {
    sizes.codeLines.generated += codeLines;
    return;
  }
  sizes.codeLines.handWritten += codeLines;
  for (const kind of KINDS)
    for (const { name, number } of numbers[kind]) sizes[kind].push({ path, ...(name !== null && { name }), number });
}
