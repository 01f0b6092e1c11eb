// The import of a history over HTTP, with keys, through the command that users run: events per second.
//
//   node bench/import.mjs [--file FILE.ndjson[.gz] --config LAUREL.yaml] [--rounds 3] [--events 100000]
//
// Without a file, a history is made up: 5,000 users, three metrics, two years, mostly in order of time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONFIGURATION } from './configuration.mjs';
import { API_KEY, machine, median, startService } from './service.mjs';

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    config: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    events: { type: 'string', default: '100000' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-import-'));
const file = values.file ?? madeUpHistory(Number(values.events));
const configuration = values.config ? readFileSync(values.config, 'utf8') : CONFIGURATION;
const fresh = [];
const again = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const service = await startService(configuration);
  fresh.push(importOnce(service.url, 'recorded'));
  again.push(importOnce(service.url, 'already known'));
  await service.close();
}
rmSync(folder, { recursive: true });
console.log(`${machine()}\n${values.rounds} rounds, medians`);
console.table([
  { import: 'fresh', 'events/s': Math.round(median(fresh)) },
  { import: 'the same file again', 'events/s': Math.round(median(again)) },
]);

function importOnce(url, expected) {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['apps/cli/dist/main.js', 'import', file, '--url', url, '--api-key', API_KEY],
    {
      encoding: 'utf8',
    },
  );
  const [, recorded, known, refused] =
    /(\d+) recorded, (\d+) already known, (\d+) refused/.exec(stdout)?.map(Number) ?? [];
  if (status !== 0 || refused !== 0 || (expected === 'recorded' ? known : recorded) !== 0)
    throw new Error(stdout + stderr);
  return ((recorded + known) / (performance.now() - startedAt)) * 1_000;
}

function madeUpHistory(events) {
  let seed = 42;
  const random = (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney'];
  const from = Date.parse('2024-01-01T00:00:00Z');
  const step = (2 * 365 * 86_400_000) / events;
  const lines = Array.from({ length: events }, (_, index) => {
    // Few users do most of it, as ever.
    const user = Math.min(random(5_000), random(5_000), random(5_000));
    const metric = ['lessons', 'words', 'hints'][Math.min(random(4), 2)];
    return JSON.stringify({
      metric,
      user: { id: `user-${user}`, tz: zones[user % zones.length] },
      value: metric === 'words' ? 1 + random(200) : 1,
      idempotencyKey: `event-${index}`,
      timestamp: new Date(from + Math.floor(index * step)).toISOString(),
    });
  });
  const path = join(folder, 'history.ndjson');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
