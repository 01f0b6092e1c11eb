import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildBefore, OLD_CORE } from './build-before.mjs';

let before = OLD_CORE;

/** From now on the candidate `before` is Laurel as of this commit. @param {string} commit as `shortCommit` names it */
export function checkOutBefore(commit) {
  before = commit;
}

/** By candidate: the folder where it is built. The programs of benchmarks are copied into that of before. */
export function checkoutOf(name) {
  if (name !== 'before') return process.cwd();
  const folder = buildBefore(before);
  for (const path of ['bench/programs', 'bench/frame/cpu.mjs']) cpSync(path, join(folder, path), { recursive: true });
  return folder;
}

/**
 * Runs a program of benchmarks in the candidate's checkout.
 * @returns {any} what it wrote, JSON
 */
export function runProgram(name, program, ...words) {
  const path = join('bench/programs', program);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--max-semi-space-size=64', path, ...words], {
    cwd: checkoutOf(name),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${path} of ${name} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1));
}
