// Measures the first start of fresh clones of this repository, in turns: how long it takes until the service is ready, and what the
// installed packages occupy. npm's cache should hold the packages of every commit before.
// node bench/first-start.mjs [--rounds N] COMMIT...
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals: commits } = parseArgs({
  options: { rounds: { type: 'string', default: '2' } },
  allowPositionals: true,
});
if (commits.length === 0) {
  console.error('usage: node bench/first-start.mjs [--rounds N] COMMIT...');
  process.exit(2);
}
console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.versions.node}`);
const folder = mkdtempSync(join(tmpdir(), 'first-start-'));
// As root, Postgres runs as another user, who must be able to pass through.
chmodSync(folder, 0o755);
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

for (let round = 1; round <= Number(values.rounds); round++)
  for (const commit of commits) {
    const clone = join(folder, `${round}-${commit}`);
    git('clone', '--quiet', '--no-hardlinks', '.', clone);
    git('-C', clone, 'checkout', '--quiet', commit);
    const seconds = await firstStart(clone);
    const packages = occupied(join(clone, 'node_modules')) + occupied(join(clone, 'tools/compiler/node_modules'));
    const load = loadavg()[0].toFixed(1);
    console.log(`${commit}: ready after ${seconds.toFixed(1)} s, packages ${toMb(packages)} MB (load ${load})`);
    rmSync(clone, { recursive: true, force: true });
  }

function git(...words) {
  const { status } = spawnSync('git', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ended with ${status}`);
}

/** Seconds from the command until the curl line of the banner; the service is stopped then. */
async function firstStart(clone) {
  const startedAt = performance.now();
  const env = { ...process.env, LAUREL_PORT: '0' };
  const child = spawn('npm', ['start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let printed = '';
  const ready = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => /^curl /m.test((printed += text)) && resolve(performance.now()));
  });
  const readyAt = await Promise.race([ready, ended.then(() => null)]);
  if (readyAt === null) throw new Error(printed);
  process.kill(-child.pid, 'SIGINT');
  await ended;
  return (readyAt - startedAt) / 1_000;
}

/** Bytes on disk, as du counts them; links are not followed. */
function occupied(path) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  const own = stats.blocks * 512;
  return stats.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + occupied(join(path, name)), own) : own;
}

function toMb(bytes) {
  return Math.round(bytes / 1024 / 1024);
}
