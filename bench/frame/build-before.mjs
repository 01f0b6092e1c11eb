import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** What the release is compared with unless another commit is named: the last one before the core was written again. */
export const OLD_CORE = 'd8b6d74';

/** @returns {string} the name that git shortens it to @throws {Error} if this repository has no such commit */
export function shortCommit(name) {
  const words = ['rev-parse', '--verify', '--quiet', '--short=7', `${name}^{commit}`];
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} is no commit of this repository`);
  return stdout.trim();
}

/**
 * Clones this repository at that commit into a folder beside, and builds it there; a folder that is complete is taken as it is.
 * @param {string} [commit] as `shortCommit` names it
 * @returns {string} the folder
 */
export function buildBefore(commit = OLD_CORE) {
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
  run(folder, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
  run(folder, process.execPath, 'node_modules/typescript/bin/tsc', '-b');
  writeFileSync(done, '');
  return folder;
}

function run(cwd, command, ...words) {
  const { status } = spawnSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} in ${cwd} ended with ${status}`);
}
