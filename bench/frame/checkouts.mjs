import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildBefore } from './build-before.mjs';

let before = null;

/** From now on the candidate `before` is Laurel as of this commit. @param {string} commit as `shortCommit` names it */
export function checkOutBefore(commit) {
  before = commit;
}

/** By candidate: the folder where it is built. */
export const checkoutOf = (name) => (name === 'before' ? buildBefore(before) : process.cwd());

const PROGRAMS = 'bench/programs';

/**
 * Runs a program of benchmarks in the candidate's checkout, copied there: it must import nothing but packages.
 * @returns {any} what it wrote, JSON
 */
export function runProgram(name, program, ...words) {
  const folder = checkoutOf(name);
  const path = join(PROGRAMS, program);
  if (folder !== process.cwd()) cpSync(path, join(folder, path));
  return outcomeOf(name, { folder, path, words });
}

/**
 * Runs the program that the candidate's own commit has for this.
 * @param {readonly string[]} programs its names, the newest first
 * @returns {any} what it wrote, JSON
 * @throws {Error} if the commit has none of them
 */
export function runOwnProgram(name, programs, ...words) {
  const folder = checkoutOf(name);
  const path = programs.map((program) => join(PROGRAMS, program)).find((one) => existsSync(join(folder, one)));
  if (path === undefined) throw new Error(`${folder} has no program ${programs.join(' or ')}`);
  return outcomeOf(name, { folder, path, words });
}

function outcomeOf(name, { folder, path, words }) {
  const args = ['--max-semi-space-size=64', path, ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${path} of ${name} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1));
}
