import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * The Node of the base image, from npm's package `node`.
 * @param {string} version exact
 * @param {string} folder to install it into, unless this process runs on that version
 * @returns {string} path of the program
 */
export function nodeOfImage(version, folder) {
  if (version === process.versions.node) return process.execPath;
  const words = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stdout, stderr } = spawnSync('npm', [...words, `node@${version}`], { encoding: 'utf8' });
  const program = join(folder, 'node_modules/node/bin/node');
  const printed = status === 0 ? spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim() : '';
  if (printed !== `v${version}`) throw new Error(`Node ${version} cannot be had from npm:\n${stdout}${stderr}`);
  return program;
}
