// A recorded history, imported through the distributed topology (a real broker, Postgres, all processes), must give the
// digests that a standalone gives which applies the same log; the history of ranks apart, which follows the order in which a
// board's owner applied the events.
//
//   node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/check-distributed.mjs HISTORY
//     --config FILE [--clock INSTANT] [--partitions 4] [--steps AREAS]... [--events N]
//
// `--steps`: the LAUREL_STEPS of a process that runs a part of the chain, once for each; without it one process for each service.
// `--events`: the first so many of the history; without it all.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { compareWithStandalone } from '../libs/testing/src/distributed/reference-digest.ts';
import { startTopology } from './distributed/start-topology.mjs';

const SETTLED_WITHIN_MS = 300_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string' },
    clock: { type: 'string' },
    partitions: { type: 'string', default: '4' },
    steps: { type: 'string', multiple: true },
    events: { type: 'string' },
  },
});
const [history] = positionals;
if (!history || !values.config) {
  console.error(
    'usage: tools/check-distributed.mjs HISTORY --config FILE [--clock INSTANT] [--partitions 4] [--steps AREAS]... [--events N]',
  );
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'laurel-check-'));
// As root, Postgres runs as another user, who must be able to pass through.
chmodSync(folder, 0o755);
let same = false;
const topology = await startTopology({
  dataDir: folder,
  config: values.config,
  clock: values.clock,
  partitions: Number(values.partitions),
  steps: values.steps,
  log: console.log,
});
try {
  const began = performance.now();
  await importHistory();
  const { head } = await settled();
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${head} records applied by every service after ${seconds.toFixed(0)} s`);
  same = await sameDigests();
} finally {
  await topology.stop();
  if (same) rmSync(folder, { recursive: true, force: true });
  else console.error(`what it left is in ${folder}`);
}
process.exit(same ? 0 : 1);

/** A file with as many events as are asked for. */
function beginningOf(file) {
  if (values.events === undefined) return file;
  const bytes = readFileSync(file);
  const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n');
  const beginning = join(folder, 'beginning.ndjson');
  writeFileSync(beginning, `${lines.slice(0, Number(values.events)).join('\n')}\n`);
  return beginning;
}

async function importHistory() {
  const args = ['apps/cli/dist/main.js', 'import', beginningOf(history), '--url', topology.url];
  const env = { ...process.env, LAUREL_API_KEY: topology.apiKey };
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'exit');
  if (code !== 0) throw new Error(`the import ended with ${code}`);
}

async function settled() {
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

async function sameDigests() {
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
