// Measures a start of the built standalone on a data folder that is there already: CPU of Node until it is ready, of the bundle and of the
// modules that it was made from, in turns.
// node bench/start.mjs [--rounds N]
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, isReady, start, stop, waitUntil } from '../tools/processes.mjs';
import { cpuOf } from './frame/cpu.mjs';

const PROGRAMS = { bundle: 'apps/standalone/dist/main.js', modules: 'apps/standalone/dist/modules/main.js' };
const LIMIT_MS = 120_000;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
// As root, Postgres runs as another user, who must be able to pass through.
chmodSync(folder, 0o755);

async function cpuOfStart(program) {
  const port = await freePort();
  const env = { ...process.env, LAUREL_PORT: String(port), LAUREL_DATA_DIR: join(folder, 'data') };
  const service = start(program, process.execPath, [program], { env, log: join(folder, 'service.log') });
  try {
    await waitUntil(() => isReady(`http://127.0.0.1:${port}`), 'it is ready', { limitMs: LIMIT_MS, program: service });
    return cpuOf(service.pid).node;
  } finally {
    await stop(service, { limitMs: LIMIT_MS });
  }
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

try {
  await cpuOfStart(PROGRAMS.bundle);
  const measured = { bundle: [], modules: [] };
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, program] of Object.entries(PROGRAMS)) measured[name].push(await cpuOfStart(program));
  for (const [name, times] of Object.entries(measured)) console.log(`${name}: ${(median(times) / 1_000).toFixed(2)} s`);
  const ratios = measured.bundle.map((time, round) => time / measured.modules[round]);
  console.log(`bundle / modules, median of ${ratios.length} rounds: ${median(ratios).toFixed(2)}`);
} finally {
  rmSync(folder, { recursive: true });
}
