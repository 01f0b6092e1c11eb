import { filesOnEventPath, typesNamedIn } from './event-path.mjs';
import { exportedNames, namesDeclaredTwice, namesImportedNowhere } from './exported-names.mjs';
import { filesThatCall } from './folds.mjs';
import { mutualFolders } from './mutual-folders.mjs';
import { openProject } from './program.mjs';
import { sizesOf } from './sizes.mjs';
import { packagesOf } from './tree.mjs';

/**
 * @param {import('./tree.mjs').Tree} tree
 * @param {{ fold?: string }} [options] `fold`: the call that applies an event to the state of an area
 */
export async function measure(tree, { fold = 'area.apply' } = {}) {
  const project = openProject(tree, packagesOf(tree));
  const eventPath = filesOnEventPath(tree.read('ARCHITECTURE.md'));
  const names = exportedNames(project);
  return {
    eventPath: { files: eventPath, types: typesNamedIn(project, eventPath) },
    folds: { name: fold, files: filesThatCall(project, fold) },
    mutualFolders: mutualFolders(project),
    exports: {
      byLibrary: countsOf(names.map(({ library }) => library)),
      importedNowhere: namesImportedNowhere(project, names),
      declaredTwice: namesDeclaredTwice(project, names),
    },
    sizes: await sizesOf(tree),
  };
}

function countsOf(words) {
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
