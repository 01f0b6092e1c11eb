// Sends a recorded history through a running topology, and compares the resulting digests with those of a standalone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { compareWithStandalone } from '../../libs/testing/src/distributed/reference-digest.ts';

const SETTLED_WITHIN_MS = 300_000;

/** @returns {readonly string[]} the events of a history, compressed (.gz) or not */
export function linesOf(file) {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** Imports these lines with the command that users run. The lines are written to `file` first. */
export async function importLines(topology, file, lines) {
  writeFileSync(file, `${lines.join('\n')}\n`);
  const args = ['apps/cli/dist/main.js', 'import', file, '--url', topology.url];
  const env = { ...process.env, LAUREL_API_KEY: topology.apiKey };
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'exit');
  if (code !== 0) throw new Error(`the import ended with ${code}`);
}

/**
 * Waits until every area has applied everything.
 *
 * @returns the status at that time
 */
export async function settled(topology) {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const response = await fetch(`${topology.url}/admin/v1/status`, { headers: { 'x-api-key': topology.apiKey } });
    const status = await response.json();
    const { services, areas, head } = status;
    if (services.every(({ behind }) => behind === 0) && areas.every(({ position }) => position === head)) return status;
    if (performance.now() > deadline) throw new Error(`the services have not caught up: ${JSON.stringify(services)}`);
    await sleep(250);
  }
}

/** Whether the digests equal those of a standalone that applies the same log. Prints each line of both. */
export async function sameDigests(topology) {
  const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
  const differing = standalone.lines.filter((line, index) => distributed.lines[index]?.digest !== line.digest);
  for (const [index, { name, rows, digest }] of standalone.lines.entries()) {
    const other = distributed.lines[index];
    console.log(
      `${name}: ${rows} rows ${digest.slice(0, 16)}; distributed: ${other?.rows} rows ${other?.digest.slice(0, 16)}`,
    );
  }
  console.log(`${standalone.lines.length} lines compared, ${differing.length} differ`);
  return standalone.lines.length > 0 && differing.length === 0;
}
