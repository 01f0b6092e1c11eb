// The apps, libraries and tools of the workspace, as declared in their package.json. Plain JavaScript without
// dependencies, because it runs before anything is installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TOP = ['apps', 'libs', 'tools'];
const NO_PROJECTS = new Set(['node_modules', 'dist', 'src']);
/** How deep projects lie: in one of the top folders, or in a group inside it. */
const DEPTH = 2;

/**
 * @typedef {object} Project
 * @property {string} root its folder, such as libs/domain/points; with `/`, relative to the workspace
 * @property {string} name of its package, such as @laurel/points
 * @property {string | null} kind its layer, by its tag `kind:…`; `app` for an app, `tool` for a tool
 */

/**
 * Reads the manifests anew with each call.
 *
 * @param {string} [workspace]
 * @returns {readonly Project[]} sorted by root
 */
export const projectsOf = (workspace = '.') =>
  TOP.flatMap((top) => rootsBelow(workspace, top, DEPTH)).map((root) => projectAt(workspace, root));

/** A folder with a manifest is a project. Projects do not contain other projects. */
function rootsBelow(workspace, folder, depth) {
  const path = join(workspace, folder);
  if (depth === 0 || !existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_PROJECTS.has(entry.name))
    .map(({ name }) => `${folder}/${name}`)
    .sort()
    .flatMap((root) =>
      existsSync(join(workspace, root, 'package.json')) ? [root] : rootsBelow(workspace, root, depth - 1),
    );
}

function projectAt(workspace, root) {
  const { name, nx } = JSON.parse(readFileSync(join(workspace, root, 'package.json'), 'utf8'));
  const tag = nx?.tags?.find((tag) => tag.startsWith('kind:'));
  return { root, name, kind: tag?.slice('kind:'.length) ?? null };
}

/** Whether it is an app or a library. */
export const isBuilt = ({ root }) => /^(?:apps|libs)\//.test(root);

/**
 * @param {readonly Project[]} projects
 * @param {string} name of a package
 * @returns {string} its folder
 * @throws {Error} if no project has the name: otherwise, after a folder was moved, a check of it would silently check
 *   nothing
 */
export function rootOf(projects, name) {
  const project = projects.find((one) => one.name === name);
  if (project === undefined) throw new Error(`there is no project ${name}`);
  return project.root;
}

/**
 * The folders of pure code: the values, the kernel, and the folder `rules` of any other project.
 *
 * @param {readonly Project[]} projects
 * @param {string} [workspace]
 * @returns {readonly string[]} folders, with `/`
 */
export const pureFolders = (projects, workspace = '.') =>
  projects.flatMap(({ root, kind }) => {
    if (kind === 'pure' || kind === 'kernel') return [`${root}/src`];
    return existsSync(join(workspace, root, 'src/rules')) ? [`${root}/src/rules`] : [];
  });
