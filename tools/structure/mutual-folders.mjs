import { posix } from 'node:path';
import { isTesting } from '../ceilings/limits.mjs';
import { importsOf } from './imports.mjs';

/**
 * Pairs of folders of one package that import each other both ways, imports of types included. Tests and the files directly in `src`
 * do not count.
 *
 * @param {import('./program.mjs').Project} project
 * @returns {readonly string[]} `libs/engine/src: due ↔ folding`, sorted
 */
export function mutualFolders(project) {
  return project.packages.flatMap((one) => {
    const root = `${one.folder}/src`;
    const pairs = importedFolders(project, root);
    const mutual = [...pairs].filter((pair) => pairs.has(pair.split(' ↔ ').toReversed().join(' ↔ ')));
    return mutual.filter((pair) => pair === pair.split(' ↔ ').sort().join(' ↔ ')).map((pair) => `${root}: ${pair}`);
  });
}

/** @returns {ReadonlySet<string>} `importing ↔ imported` */
function importedFolders({ modules, resolve }, root) {
  const folderOf = (path) => posix.relative(root, posix.dirname(path));
  const isInside = (path) => path?.startsWith(`${root}/`) && folderOf(path) !== '' && !isTesting(path);
  const pairs = [...modules.keys()].filter(isInside).flatMap((path) =>
    importsOf(modules.get(path))
      .map(({ specifier }) => resolve(specifier, path))
      .filter((target) => isInside(target) && folderOf(target) !== folderOf(path))
      .map((target) => `${folderOf(path)} ↔ ${folderOf(target)}`),
  );
  return new Set(pairs.sort());
}
