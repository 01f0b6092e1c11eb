// A podman with settings, images, containers, networks and volumes of its own, all below one folder.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPOSE, composeEnvironment } from './podman.mjs';

/** An error shows the last lines of the output, which mostly contain the reason. */
const LAST_LINES = 60;
const PATIENCE_MS = 20_000;

/**
 * Everything that the engine has started and created is removed when this process ends, also by a signal.
 *
 * @typedef {object} Engine
 * @property {string} work a folder for the files of the caller
 * @property {(command: string, ...words: string[]) => Promise<string>} run runs a program and returns its output
 * @property {(...words: string[]) => Promise<string>} podman runs podman and returns its output
 * @property {(environment: Readonly<Record<string, string>>, ...words: string[]) => Promise<string>} compose runs
 *   podman-compose and returns its output
 *
 * @param {string | null} kept a folder in which images stay for the next run, or null if no images are kept
 * @returns {Engine}
 */
export function openEngine(kept = null) {
  if (kept !== null) mkdirSync(kept, { recursive: true });
  const folder = kept === null ? mkdtempSync(join(tmpdir(), 'laurel-containers-')) : resolve(kept);
  const env = { ...composeEnvironment(), ...writeSettings(folder) };
  const running = new Set();
  process.once('exit', () => {
    close(env);
    unmount(folder);
    if (kept === null) rmSync(folder, { recursive: true, force: true });
  });
  for (const name of ['SIGINT', 'SIGTERM'])
    process.once(name, () => void endAll(running).then(() => process.exit(130)));
  const work = join(folder, 'work');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  const run = (command, words, more = {}) => runIn({ ...env, ...more }, running, command, words);
  return {
    work,
    run: (command, ...words) => run(command, words),
    podman: (...words) => run('podman', words),
    compose: (environment, ...words) => run('python3', [COMPOSE, ...words], environment),
  };
}

function writeSettings(folder) {
  const containers = join(folder, 'containers.conf');
  const storage = join(folder, 'storage.conf');
  // Limits that small machines allow, a runtime that works with either version of control groups, and no systemd.
  writeFileSync(
    containers,
    `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
`,
  );
  writeFileSync(
    storage,
    `[storage]
driver = "overlay"
graphroot = "${folder}/graph"
runroot = "${folder}/run"
`,
  );
  return {
    CONTAINERS_CONF: containers,
    CONTAINERS_STORAGE_CONF: storage,
    // Only images in the format of Docker have health checks.
    BUILDAH_FORMAT: 'docker',
    // This code runs the health checks, not the timers of systemd.
    DISABLE_HC_SYSTEMD: 'true',
  };
}

async function runIn(env, running, command, words) {
  const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let printed = '';
  let said = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const [code, signal] = await once(child, 'close');
  running.delete(child);
  if (code === 0) return printed;
  const last = `${printed}${said}`.trim().split('\n').slice(-LAST_LINES).join('\n');
  throw Object.assign(new Error(`${command} ${words.join(' ')}: ${code ?? signal}\n${last}`), { code });
}

/**
 * Ends the running commands with SIGTERM: a build that is killed at once would leave behind the commands that it runs.
 */
async function endAll(running) {
  const ended = Promise.all([...running].map((child) => once(child, 'close')));
  for (const child of running) child.kill('SIGTERM');
  await Promise.race([ended, sleep(PATIENCE_MS)]);
}

const podman = (env, ...words) => spawnSync('podman', words, { env, stdio: 'ignore' });

function close(env) {
  podman(env, 'pod', 'rm', '--all', '--force');
  podman(env, 'rm', '--all', '--force', '--time', '0');
  podman(env, 'network', 'prune', '--force');
  podman(env, 'secret', 'rm', '--all');
  podman(env, 'volume', 'rm', '--all', '--force');
}

/** Unmounts everything that is still mounted below the folder, innermost first. */
function unmount(folder) {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(`${folder}/`));
  for (const place of mounted.reverse()) spawnSync('umount', ['--lazy', place], { stdio: 'ignore' });
}
