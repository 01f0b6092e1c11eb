// Measures the structure of the code: node tools/measure-structure.mjs [--commit COMMIT] [--verbose | --json] [--fold
// FUNCTION]
//
// It measures the working tree, or a commit: the types that a reader meets on the path of an event, the files that fold
// a user, folders that import each other, exported names, sizes. --verbose lists what each figure counts. Files for
// tests, tools, benchmarks and examples are not counted, except as places that import a name. --fold: the call that
// applies an event to the state of an area, if it is not area.apply; before the kernel had a fold, it was applyAreas.
import { parseArgs } from 'node:util';
import { measure } from './structure/measure.mjs';
import { textOf } from './structure/print.mjs';
import { treeOfCheckout, withTreeOf } from './structure/tree.mjs';

const { values } = parseArgs({
  options: {
    commit: { type: 'string' },
    fold: { type: 'string' },
    json: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const { commit, fold, json, verbose } = values;
const use = (tree) => measure(tree, { fold });
const measured = commit === undefined ? await use(treeOfCheckout(process.cwd())) : await withTreeOf(commit, use);
console.log(json ? JSON.stringify(measured, null, 2) : textOf(measured, { verbose }));
