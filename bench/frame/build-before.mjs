import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** What the release is compared with: the last commit before the core was written again. */
export const BEFORE = 'd8b6d74';
const FOLDER = join(tmpdir(), `laurel-${BEFORE}-${userInfo().uid}`);
const DONE = join(FOLDER, 'node_modules/.built-for-benchmarks');

/**
 * Clones this repository at that commit into a folder beside, and builds it there; a folder that is complete is taken as it is.
 * @returns {string} the folder
 */
export function buildBefore() {
  if (existsSync(DONE)) return FOLDER;
  console.log(`Building Laurel as of ${BEFORE} in ${FOLDER} …`);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  // As root, Postgres runs as another user, who must be able to pass through.
  chmodSync(FOLDER, 0o755);
  run('.', 'git', 'clone', '--quiet', '--no-hardlinks', '.', FOLDER);
  run(FOLDER, 'git', 'checkout', '--quiet', BEFORE);
  run(FOLDER, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
  run(FOLDER, process.execPath, 'node_modules/typescript/bin/tsc', '-b');
  writeFileSync(DONE, '');
  return FOLDER;
}

function run(cwd, command, ...words) {
  const { status } = spawnSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} in ${cwd} ended with ${status}`);
}
