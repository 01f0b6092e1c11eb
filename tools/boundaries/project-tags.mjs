import { readFileSync } from 'node:fs';
import { projectsOf } from '../projects.mjs';
import { treeIn } from '../structure/tree.mjs';
import { expectedTags, LIBRARIES } from './kinds.mjs';

/**
 * A project that Nx does not see, or that has no tags, escapes the boundaries.
 * @param {string} graphFile what `nx graph --file` wrote
 * @returns {{ count: number, problems: string[] }}
 */
export function checkProjectTags(graphFile) {
  const { nodes } = JSON.parse(readFileSync(graphFile, 'utf8')).graph;
  const tagsByRoot = new Map(Object.values(nodes).map(({ data }) => [data.root, data.tags]));
  const projects = projectsOf();
  const roots = new Set([...projects.map(({ root }) => root), ...sourcesOutside(projects)]);
  const names = new Set(projects.map(({ name }) => name));
  return {
    count: tagsByRoot.size,
    problems: [
      ...[...roots].filter((root) => !tagsByRoot.has(root)).map((root) => `${root}: Nx does not see this project`),
      ...[...tagsByRoot].flatMap(([root, tags]) => problemsOf(root, tags)),
      ...Object.keys(LIBRARIES).flatMap((name) =>
        names.has(`@laurel/${name}`) ? [] : [`the library ${name} is gone`],
      ),
    ],
  };
}

/** Source files of apps and libraries that belong to no project, because a manifest is missing. */
const sourcesOutside = (projects) =>
  treeIn(process.cwd())
    .files.filter(
      (file) => /^(?:apps|libs)\/.*\.tsx?$/.test(file) && !projects.some(({ root }) => file.startsWith(`${root}/`)),
    )
    .map((file) => file.slice(0, file.lastIndexOf('/')));

function problemsOf(root, tags) {
  const expected = expectedTags(root);
  if (expected === null) return [`${root}: not in the list of tools/boundaries/kinds.mjs`];
  // Nx adds tags such as npm:private by itself.
  const own = tags.filter((tag) => !tag.startsWith('npm:'));
  return own.toSorted().join() === expected.toSorted().join()
    ? []
    : [`${root}: tagged ${own.join(', ') || 'nothing'}, expected ${expected.join(', ')}`];
}
