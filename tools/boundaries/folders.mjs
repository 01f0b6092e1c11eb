import { posix } from 'node:path';
import ts from 'typescript';
import { projectsOf, rootOf } from '../projects.mjs';
import { mutualFolders } from '../structure/mutual-folders.mjs';
import { openProject } from '../structure/program.mjs';
import { packagesOf, treeIn } from '../structure/tree.mjs';

/**
 * Checks that the folders of a package depend on each other in one direction only (ADR 0057). To prove that the check
 * works, pairs of folders that import each other are added in memory; each must be found.
 *
 * @returns {{ count: number, problems: readonly string[] }}
 */
export function checkFolders() {
  const tree = treeIn(process.cwd());
  const project = openProject(tree, packagesOf(tree));
  const found = problemsIn(project);
  const canaries = CANARIES.flatMap(({ modules, finds }) => {
    const planted = problemsIn(withModules(project, modules)).filter((problem) => !found.includes(problem));
    return String(planted) === String(finds) ? [] : [`a canary expected [${finds}], got [${planted}]`];
  });
  return { count: project.packages.length + CANARIES.length, problems: [...found, ...canaries] };
}

const problemsIn = (project) => mutualFolders(project).map((pair) => `${pair} import each other`);

/** The project, with further modules that exist only in memory. */
function withModules(project, texts) {
  const planted = Object.entries(texts).map(([path, text]) => [
    path,
    ts.createSourceFile(path, text, ts.ScriptTarget.ES2023),
  ]);
  const modules = new Map([...project.modules, ...planted]);
  const resolve = (specifier, from) => {
    const path = posix.join(posix.dirname(from), specifier);
    return path in texts ? path : project.resolve(specifier, from);
  };
  return { ...project, modules, resolve };
}

const SOURCES = `${rootOf(projectsOf(), '@laurel/gateways')}/src`;
const LOWER = `${SOURCES}/canary-lower/lower.ts`;
const UPPER = `${SOURCES}/canary-upper/upper.ts`;
const USES_LOWER = `export { lower } from '../canary-lower/lower.ts';`;
const USES_UPPER = `import type { Upper } from '../canary-upper/upper.ts';`;

/** @type {readonly { modules: Readonly<Record<string, string>>, finds: readonly string[] }[]} */
const CANARIES = [
  {
    modules: { [UPPER]: USES_LOWER, [LOWER]: USES_UPPER },
    finds: [`${SOURCES}: canary-lower ↔ canary-upper import each other`],
  },
  { modules: { [UPPER]: USES_LOWER, [LOWER]: 'export const lower = 1;' }, finds: [] },
  { modules: { [UPPER]: USES_LOWER, [LOWER.replace('.ts', '.unit.test.ts')]: USES_UPPER }, finds: [] },
];
