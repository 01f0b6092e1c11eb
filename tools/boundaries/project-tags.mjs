import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expectedTags, LIBRARIES } from './kinds.mjs';

/**
 * A project that Nx does not see, or that has no tags, escapes the boundaries.
 * @param {string} graphFile what `nx graph --file` wrote
 * @returns {{ count: number, problems: string[] }}
 */
export function checkProjectTags(graphFile) {
  const { nodes } = JSON.parse(readFileSync(graphFile, 'utf8')).graph;
  const tagsByRoot = new Map(Object.values(nodes).map(({ data }) => [data.root, data.tags]));
  const folders = ['apps', 'libs', 'tools'].flatMap(projectsIn);
  const unseen = folders.filter((root) => !tagsByRoot.has(root));
  return {
    count: tagsByRoot.size,
    problems: [
      ...unseen.map((root) => `${root}: Nx does not see this project`),
      ...[...tagsByRoot].flatMap(([root, tags]) => problemsOf(root, tags)),
      ...Object.keys(LIBRARIES).flatMap((name) => (tagsByRoot.has(`libs/${name}`) ? [] : [`libs/${name}: is gone`])),
      ...pureLibrariesOutsideTheirProgram(),
    ],
  };
}

const projectsIn = (group) =>
  readdirSync(group)
    .map((name) => `${group}/${name}`)
    .filter((root) => existsSync(`${root}/package.json`) || existsSync(`${root}/src`));

function problemsOf(root, tags) {
  const expected = expectedTags(root);
  if (expected === null) return [`${root}: not in the list of tools/boundaries/kinds.mjs`];
  // Nx adds tags such as npm:private by itself.
  const own = tags.filter((tag) => !tag.startsWith('npm:'));
  return own.toSorted().join() === expected.toSorted().join()
    ? []
    : [`${root}: tagged ${own.join(', ') || 'nothing'}, expected ${expected.join(', ')}`];
}

function pureLibrariesOutsideTheirProgram() {
  const program = readFileSync('tsconfig.pure.json', 'utf8');
  return Object.entries(LIBRARIES)
    .filter(([name, kind]) => kind === 'pure' && !program.includes(`"libs/${name}/src/**/*.ts"`))
    .map(([name]) => `libs/${name}: of kind pure, but not in tsconfig.pure.json`);
}
