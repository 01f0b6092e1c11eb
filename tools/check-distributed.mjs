// Imports a recorded history through the distributed topology (a real broker, Postgres, all processes). Its digests
// must equal those of a standalone that applies the same log. The history of ranks is an exception: it depends on the
// order in which the owner of a board applied the events.
//
//   node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/check-distributed.mjs HISTORY
//     --config FILE [--clock INSTANT] [--partitions 4] [--steps AREAS]... [--events N]
//
// `--steps`: the LAUREL_STEPS of a process that runs a part of the chain, once for each process; without it, one
// process runs for each service. `--events`: only the first N events of the history; without it, all.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importLines, linesOf, sameDigests, settled } from './distributed/history-through.mjs';
import { startTopology } from './distributed/start-topology.mjs';

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
// If this runs as root, Postgres runs under another account, which must be able to enter the folder.
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
  const lines = linesOf(history).slice(0, values.events === undefined ? undefined : Number(values.events));
  await importLines(topology, join(folder, 'history.ndjson'), lines);
  const { head } = await settled(topology);
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${head} records applied by every service after ${seconds.toFixed(0)} s`);
  same = await sameDigests(topology);
} finally {
  await topology.stop();
  if (same) rmSync(folder, { recursive: true, force: true });
  else console.error(`what it left is in ${folder}`);
}
process.exit(same ? 0 : 1);
