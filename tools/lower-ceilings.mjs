// Writes today's numbers into tools/ceilings/ceilings.json: node tools/lower-ceilings.mjs
//
// Ceilings can only fall. If a number is above its ceiling, or exceeds a limit and has no ceiling, the command changes
// nothing, names the files and exits with 1. A file or function that was moved or renamed keeps its ceiling.
import { existsSync } from 'node:fs';
import { findingsIn } from './ceilings/findings.mjs';
import { isHeld } from './ceilings/limits.mjs';
import { ceilingsOf, entriesOf, readCeilings, writeCeilings } from './ceilings/list.mjs';
import { problemsOfLowering } from './ceilings/lower.mjs';
import { treeIn } from './structure/tree.mjs';

const ceilings = entriesOf(readCeilings());
const numbers = await numbersOf(treeIn(process.cwd()));
const problems = problemsOfLowering(ceilings, numbers, existsSync);
if (problems.length === 0) await writeCeilings(ceilingsOf(numbers));
for (const problem of problems) console.log(problem);
console.log(`${ceilings.length} ceilings before, ${problems.length === 0 ? numbers.length : ceilings.length} now`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** @returns {Promise<readonly import('./ceilings/list.mjs').Ceiling[]>} all numbers that exceed a limit */
async function numbersOf(tree) {
  const entries = [];
  for (const path of tree.files) {
    // The first check needs only the path, so that other files are not read.
    if (!isHeld(path, '') || !isHeld(path, tree.read(path))) continue;
    const found = await findingsIn(path, tree.read(path));
    for (const [kind, findings] of Object.entries(found.numbers))
      for (const { name, number } of findings) entries.push({ path, kind, name, number });
  }
  return entries;
}
