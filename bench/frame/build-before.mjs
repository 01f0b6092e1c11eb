import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** @returns {string} the name that git shortens it to @throws {Error} if this repository has no such commit */
export function shortCommit(name) {
  const words = ['rev-parse', '--verify', '--quiet', '--short=7', `${name}^{commit}`];
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} is no commit of this repository`);
  return stdout.trim();
}

/**
 * Clones this repository at that commit into a folder beside, and builds it there; a folder that is complete is taken as it is.
 * @param {string} commit as `shortCommit` names it
 * @returns {string} the folder
 */
export function buildBefore(commit) {
  const folder = join(tmpdir(), `laurel-${commit}-${userInfo().uid}`);
  const done = join(folder, 'node_modules/.built-for-benchmarks');
  if (existsSync(done)) return folder;
  console.log(`Building Laurel as of ${commit} in ${folder} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  // As root, Postgres runs as another user, who must be able to pass through.
  chmodSync(folder, 0o755);
  run('.', 'git', 'clone', '--quiet', '--no-hardlinks', '.', folder);
  run(folder, 'git', 'checkout', '--quiet', commit);
  if (hasSamePackages(folder)) copyPackages(folder);
  else run(folder, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
  run(folder, 'npm', 'run', '--silent', 'build');
  writeFileSync(done, '');
  return folder;
}

const LOCK = 'package-lock.json';

/** The lock file also names the folders of the workspaces, to which npm has made links. */
const hasSamePackages = (folder) =>
  existsSync(join('node_modules', '.package-lock.json')) &&
  readFileSync(LOCK, 'utf8') === readFileSync(join(folder, LOCK), 'utf8');

function copyPackages(folder) {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8'));
  const folders = Object.keys(packages).map((path) => /^(?:.*?\/)??node_modules(?=\/)/.exec(path)?.[0]);
  for (const path of new Set(folders))
    if (path !== undefined && existsSync(path))
      cpSync(path, join(folder, path), { recursive: true, verbatimSymlinks: true });
  // What the build here recorded there is of this checkout.
  rmSync(join(folder, 'node_modules/.cache'), { recursive: true, force: true });
  rmSync(join(folder, 'node_modules/.built-for-benchmarks'), { force: true });
  // As npm leaves it: newer than the lock file.
  const now = new Date();
  utimesSync(join(folder, 'node_modules/.package-lock.json'), now, now);
}

function run(cwd, command, ...words) {
  const { status } = spawnSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} in ${cwd} ended with ${status}`);
}
