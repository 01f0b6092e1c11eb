import { spawnSync } from 'node:child_process';
import { API_KEY } from './candidates.mjs';
import { checkoutOf } from './checkouts.mjs';
import { cpuOf } from './cpu.mjs';

/**
 * Runs the command line of the candidate's own checkout for a service that runs.
 *
 * @param {{ name: string, url: string, apiKey?: string, checkout?: string }} service
 * @param {readonly string[]} words
 * @returns {string} what the command wrote
 * @throws {Error} if it fails
 */
export function runCommand({ name, url, apiKey = API_KEY, checkout = checkoutOf(name) }, ...words) {
  const args = ['apps/cli/dist/main.js', ...words, '--url', url, '--api-key', apiKey];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${words[0]} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/**
 * Measures a service while something is done with it, without what the doing itself takes.
 *
 * @template T
 * @param {{ pid?: number }} service
 * @param {() => T} work
 * @returns {{ result: T, seconds: number, cpu: { node: number, database: number } | null }} `cpu` in ms; null without `pid`, and where
 *   there is no /proc
 */
export function measured({ pid }, work) {
  const before = pid === undefined ? null : cpuOf(pid);
  const beganMs = performance.now();
  const result = work();
  const seconds = (performance.now() - beganMs) / 1_000;
  const after = before && cpuOf(pid);
  return {
    result,
    seconds,
    cpu: before && { node: after.node - before.node, database: after.database - before.database },
  };
}
