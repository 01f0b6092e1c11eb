// Imports a history while the server and its Postgres are killed at random moments, and continues until everything is
// imported. In half of the cases the importer is killed too and another one is started; otherwise it must continue by
// itself. The resulting state can then be checked with compare-state.
//
// node tools/crash-import.mjs FILE --config CONFIG [--kills 10] [--seed N] [--data-dir DIR]
//
// Needs the built apps. The environment is passed on, so LAUREL_CLOCK has an effect; without LAUREL_API_KEY a key is
// created. The kills are spread over the lines of the file: each happens a random time after the log has reached a
// random length.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { freePort, isReady, signal, start, stop, waitUntil } from './processes.mjs';

const SERVER = 'apps/standalone/dist/main.js';
const CLI = 'apps/cli/dist/main.js';
const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 60_000;
const LAST_IMPORT_WITHIN_MS = 15 * 60_000;
/**
 * The processes that are killed: only the server, which leaves its Postgres an orphan; both at once; or Postgres first
 * and the server up to this much later.
 */
const VICTIMS = ['server', 'both', 'postgres'];
const WITHOUT_POSTGRES_MS = 500;
/**
 * The kill happens up to this long after the log has reached the given length, so it can hit any moment within a batch.
 */
const WITHIN_A_BATCH_MS = 150;
const LOOK_EVERY_MS = 15;
/** The probability that the importer survives a kill. */
const IMPORTER_GOES_ON = 0.5;

const { file, config, kills, seed, dataDir } = readArguments();
const random = mulberry32(seed);
const logFolder = mkdtempSync(join(tmpdir(), 'crash-import-log-'));
const logFile = join(logFolder, 'output.txt');
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const NEWLINE = 0x0a;
const apiKey = process.env.LAUREL_API_KEY ?? `crash-import-${process.pid}-${'k'.repeat(24)}`;
const env = {
  ...process.env,
  LAUREL_CONFIG: config,
  LAUREL_DATA_DIR: dataDir,
  LAUREL_PORT: String(port),
  LAUREL_API_KEY: apiKey,
};
const running = new Set();
/** The importer that is running, or the last one that ran. */
let importer = null;

function readArguments() {
  const text = (value) => ({ type: 'string', ...(value === undefined ? {} : { default: value }) });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      config: text(),
      kills: text('10'),
      seed: text(String(Date.now() % 1_000_000)),
      'data-dir': text(),
    },
  });
  const [file] = positionals;
  if (positionals.length !== 1 || values.config === undefined) {
    throw new Error('usage: crash-import FILE --config CONFIG [--kills N] [--seed N] [--data-dir DIR]');
  }
  return {
    file: resolve(file),
    config: resolve(values.config),
    kills: wholeNumber('kills', values.kills),
    seed: wholeNumber('seed', values.seed),
    dataDir: resolve(values['data-dir'] ?? newDataDir()),
  };
}

function wholeNumber(name, text) {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} is a whole number, not ${text}`);
  return Number(text);
}

/** If this runs as root, Postgres runs under another account, which must be able to enter the folder. */
function newDataDir() {
  const folder = mkdtempSync(join(tmpdir(), 'crash-import-'));
  chmodSync(folder, 0o755);
  return join(folder, 'data');
}

/** A small random generator with a seed (mulberry32): the same seed gives the same victims and moments. */
function mulberry32(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The kills: lengths of the log in ascending order, so that each round gets further than the one before. Every kind of
 * victim occurs.
 */
function plan() {
  const lines = countLines();
  const lengths = Array.from({ length: kills }, () => Math.ceil(lines * (0.01 + random() * 0.95))).toSorted(
    (a, b) => a - b,
  );
  const offset = Math.floor(random() * VICTIMS.length);
  return lengths.map((length, round) => ({ length, victim: VICTIMS[(round + offset) % VICTIMS.length] }));
}

function countLines() {
  const bytes = readFileSync(file);
  const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return text.reduce((lines, byte) => lines + Number(byte === NEWLINE), 0);
}

async function logLength() {
  const { components } = await fetch(`${url}/readyz`).then((response) => response.json());
  return components.events.detail.head;
}

function startNode(name, args) {
  const program = start(name, process.execPath, args, { env, log: logFile });
  running.add(program);
  void program.ended.finally(() => running.delete(program));
  return program;
}

async function startServer() {
  const began = performance.now();
  const server = startNode('the server', [SERVER]);
  await waitUntil(() => isReady(url), 'readiness', { limitMs: READY_WITHIN_MS, program: server });
  return { server, readyAfterMs: performance.now() - began };
}

const startImport = () => startNode('the importer', [CLI, 'import', file, '--url', url, '--api-key', apiKey]);

/**
 * The id of the postmaster of this data folder, from its pid file, and only if the command line of that process names
 * the folder.
 */
function postmasterPid() {
  const pidFile = findPidFile(dataDir, 3);
  if (pidFile === null) return null;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !signal(pid, 0)) return null;
  if (!existsSync('/proc/self/cmdline')) return pid;
  const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
  return command.includes('postgres') && command.includes(realpathSync(dataDir)) ? pid : null;
}

function findPidFile(folder, depth) {
  const direct = join(folder, 'postmaster.pid');
  if (existsSync(direct)) return direct;
  if (depth === 0 || !existsSync(folder)) return null;
  const folders = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
  return folders.reduce((found, name) => found ?? findPidFile(join(folder, name), depth - 1), null);
}

/**
 * Postgres runs in a process group of its own. It must be killed before the guard that stops it after its server has
 * ended does so.
 */
async function kill(victim, server) {
  const postmaster = postmasterPid();
  if (postmaster === null) throw new Error(`no Postgres runs on ${dataDir}`);
  if (victim !== 'server') signal(postmaster, 'SIGKILL');
  if (victim === 'postgres') await sleep(random() * WITHOUT_POSTGRES_MS);
  signal(-server.pid, 'SIGKILL');
  return postmaster;
}

async function round(number, { length, victim }) {
  const { server, readyAfterMs } = await startServer();
  importer ??= startImport();
  // An importer that never reached the server gives up at once, as intended. So each kill waits until the importer has
  // recorded something.
  const least = Math.max(length, (await logLength()) + 1);
  while (!importer.hasEnded() && (await logLength()) < least) await sleep(LOOK_EVERY_MS);
  await sleep(random() * WITHIN_A_BATCH_MS);
  if (importer.hasEnded())
    throw new Error(`the importer was through or failed before the blow: ${await importer.ended}`);
  const postmaster = await kill(victim, server);
  const goesOn = random() < IMPORTER_GOES_ON;
  if (!goesOn) signal(-importer.pid, 'SIGKILL');
  await Promise.all([server.ended, goesOn ? null : importer.ended]);
  if (!goesOn) importer = null;
  const what = `SIGKILL to ${victim} (server ${server.pid}, postgres ${postmaster})${goesOn ? '' : ' and the importer'}`;
  console.log(`kill ${number}: ready after ${Math.round(readyAfterMs)} ms, ${what} behind event ${least}`);
}

async function finish() {
  const { server, readyAfterMs } = await startServer();
  importer ??= startImport();
  await waitUntil(() => importer.hasEnded(), 'the end of the last import', {
    limitMs: LAST_IMPORT_WITHIN_MS,
    program: server,
  });
  const code = await importer.ended;
  if (code !== 0) throw new Error(`the last import ended with ${code}`);
  await stop(server, { limitMs: STOPPED_WITHIN_MS });
  if (postmasterPid() !== null) throw new Error(`the server stopped, its Postgres did not: ${postmasterPid()}`);
  console.log(`last start: ready after ${Math.round(readyAfterMs)} ms, the import is through, the server has stopped`);
}

/** Ends every program that this process started. */
function endAll() {
  for (const { pid } of running) signal(-pid, 'SIGKILL');
  const postmaster = postmasterPid();
  if (postmaster !== null) signal(postmaster, 'SIGTERM');
}

for (const name of ['SIGINT', 'SIGTERM']) {
  process.once(name, () => {
    endAll();
    process.exit(130);
  });
}

console.log(`seed ${seed}, ${kills} kills, data in ${dataDir}`);
try {
  for (const [index, blow] of plan().entries()) await round(index + 1, blow);
  await finish();
  console.log(`${kills} kills, each during the import`);
  rmSync(logFolder, { recursive: true });
} catch (error) {
  endAll();
  console.error(`crash-import: ${error.message}\n--- end of ${logFile}`);
  console.error(readFileSync(logFile, 'utf8').split('\n').slice(-40).join('\n'));
  process.exitCode = 1;
}
