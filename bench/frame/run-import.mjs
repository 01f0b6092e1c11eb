import { spawnSync } from 'node:child_process';
import { API_KEY } from './candidates.mjs';
import { checkoutOf } from './checkouts.mjs';
import { cpuOf } from './cpu.mjs';

/**
 * Imports a file with the command that users run, of the candidate's own checkout.
 *
 * @param {{ name: string, url: string, pid?: number, apiKey?: string, checkout?: string }} candidate a Laurel that runs
 * @param {'recorded' | 'known'} expected what must become of every line
 * @returns {{ rate: number, node: number | null, database: number | null }} CPU in µs for an event, without the command's own; null
 * without `pid`
 */
export function importInto(
  { name, url, pid, apiKey = API_KEY, checkout = checkoutOf(name) },
  { file, events },
  expected,
) {
  const words = ['apps/cli/dist/main.js', 'import', file, '--url', url, '--api-key', apiKey];
  const cpuBefore = pid === undefined ? null : cpuOf(pid);
  const beganMs = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: checkout, encoding: 'utf8' });
  const seconds = (performance.now() - beganMs) / 1_000;
  const cpuAfter = pid === undefined ? null : cpuOf(pid);
  const counts = /(\d+) recorded, (\d+) already known, (\d+) refused/.exec(stdout)?.slice(1).map(Number);
  const wanted = expected === 'recorded' ? [events, 0, 0] : [0, events, 0];
  if (status !== 0 || String(counts) !== String(wanted)) throw new Error(`${name}: ${stdout}${stderr}`);
  const perEvent = (of) => cpuBefore && ((cpuAfter[of] - cpuBefore[of]) * 1_000) / events;
  return { rate: events / seconds, node: perEvent('node'), database: perEvent('database') };
}
