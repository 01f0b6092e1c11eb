import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LEFT_OUT = new Set(['node_modules', 'dist', 'coverage']);

/**
 * The files of this project below a folder.
 *
 * @typedef {object} Tree
 * @property {string} folder absolute
 * @property {readonly string[]} files relative to the folder, sorted
 * @property {(path: string) => string} read
 *
 * @param {string} folder absolute
 * @returns {Tree}
 */
export function treeIn(folder) {
  const files = [];
  const visit = (path) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      if (LEFT_OUT.has(entry.name) || entry.name.startsWith('.')) continue;
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(inside);
      else if (entry.isFile()) files.push(inside);
    }
  };
  visit('');
  return { folder, files: files.sort(), read: (path) => readFileSync(join(folder, path), 'utf8') };
}

/**
 * The files of this project in a working tree. Ignored files are left out, because a build writes them.
 *
 * @param {string} folder absolute
 * @returns {Tree}
 */
export function treeOfCheckout(folder) {
  const tree = treeIn(folder);
  const { stdout } = spawnSync('git', ['check-ignore', '--stdin'], {
    cwd: folder,
    input: tree.files.join('\n'),
    encoding: 'utf8',
  });
  const ignored = new Set(stdout.split('\n'));
  return { ...tree, files: tree.files.filter((path) => !ignored.has(path)) };
}

/**
 * @template T
 * @param {string} commit
 * @param {(tree: Tree) => Promise<T>} use gets a tree that is removed afterwards
 * @returns {Promise<T>}
 * @throws {Error} if this repository has no such commit
 */
export async function withTreeOf(commit, use) {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-tree-'));
  try {
    const archive = join(folder, 'tree.tar');
    run('git', 'archive', '--format=tar', `--output=${archive}`, commit);
    run('tar', '-xf', archive, '-C', folder);
    rmSync(archive);
    return await use(treeIn(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(command, ...words) {
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words[0]}: ${stderr.trim()}`);
}

/**
 * The packages of a tree: apps and libraries, also those in groups of folders.
 *
 * @typedef {object} Package
 * @property {string} name `@laurel/points`
 * @property {string} folder `libs/domain/points`
 * @property {ReadonlyMap<string, string>} entries specifier → source file: `@laurel/points` →
 *   `libs/domain/points/src/index.ts`
 * @property {boolean} isLibrary
 * @property {boolean} isForTests
 *
 * @param {Tree} tree
 * @returns {readonly Package[]} sorted by folder
 */
export function packagesOf(tree) {
  return tree.files
    .filter((path) => /^(?:apps|libs)\/.+\/package\.json$/.test(path))
    .map((path) => packageOf(tree, path));
}

function packageOf(tree, path) {
  const { name, exports = {}, nx } = JSON.parse(tree.read(path));
  const folder = path.slice(0, -'/package.json'.length);
  const sources = Object.entries(exports).filter(([, targets]) => targets['@laurel/source'] !== undefined);
  const entries = sources.map(([subpath, targets]) => [
    name + subpath.slice(1),
    `${folder}/${targets['@laurel/source'].slice(2)}`,
  ]);
  return {
    name,
    folder,
    entries: new Map(entries.filter(([, source]) => existsSync(join(tree.folder, source)))),
    isLibrary: folder.startsWith('libs/'),
    isForTests: nx?.tags?.includes('kind:testing') ?? false,
  };
}
