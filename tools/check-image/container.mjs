// Runs an image's program as an engine would run it for a service of a compose file: with that service's environment and
// volumes, under the image's user. There is no network of its own: names of services and their ports become addresses here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { guardAgainstOrphan } from '../kafka/orphan-guard.mjs';
import { signal, start, waitUntil } from '../processes.mjs';

/** The image's user if this machine lists it (initdb asks for that), else one that it lists. */
export function accountFor({ uid, gid }, passwd = readFileSync('/etc/passwd', 'utf8')) {
  const listed = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , user, group]) => ({ name, uid: Number(user), gid: Number(group) }))
    .filter((account) => account.uid > 0);
  const same = listed.find((account) => account.uid === uid);
  if (same) return { name: same.name, uid, gid };
  const other = listed.find(({ name }) => name === 'nobody') ?? listed[0];
  if (other === undefined) throw new Error('this machine lists no user but root');
  return other;
}

/**
 * A value as it is here: `host:port` and the bare name of a service become their addresses, paths lie below the image's root.
 * @param {string} value
 * @param {{ root: string, addresses: ReadonlyMap<string, string>, services: readonly string[] }} here `addresses`: `host:port` → the same here
 * @throws {Error} if a port of a service is named that is not there
 */
export function valueHere(value, { root, addresses, services }) {
  if (value.startsWith('/')) return join(root, value);
  if (services.includes(value)) return '127.0.0.1';
  const names = services.map((name) => name.replace(/[.]/g, '\\.')).join('|');
  return value.replace(new RegExp(`(?<![\\w.-])(?:${names}):\\d+(?!\\d)`, 'g'), (address) => {
    const here = addresses.get(address);
    if (here === undefined) throw new Error(`nobody serves ${address}`);
    return here;
  });
}

/** Variables whose value is a port of the container itself. */
export const OWN_PORTS = ['LAUREL_PORT', 'LAUREL_INTERNAL_PORT'];

/** What the process is given: the image's variables, those of the service over them, nothing else but PATH. */
export function environmentOf(image, name, service, here) {
  const declared = { ...Object.fromEntries(image.environment), ...service.environment };
  const mapped = Object.entries(declared).map(([key, value]) => {
    if (typeof value !== 'string') throw new Error(`${name}: ${key} must be text in the compose file`);
    if (!OWN_PORTS.includes(key)) return [key, valueHere(value, { ...here, root: image.root })];
    const [, port] = here.addresses.get(`${name}:${value}`)?.split(':') ?? [];
    if (port === undefined) throw new Error(`${name}: ${key} is ${value}, and that port has no address here`);
    return [key, port];
  });
  return { PATH: process.env.PATH, ...Object.fromEntries(mapped) };
}

/** Files of the checkout are copied to where they would be mounted; a named volume is the image's own folder. */
export function mountVolumes(image, service, composeFolder) {
  for (const volume of service.volumes ?? []) {
    const [source, target, mode] = volume.split(':');
    const place = join(image.root, target);
    if (!/^[./]/.test(source)) mkdirSync(place, { recursive: true });
    else if (mode !== 'ro') throw new Error(`${volume}: only files to read are mounted here`);
    else mountFile(resolve(composeFolder, source), place);
  }
}

function mountFile(source, place) {
  if (!existsSync(source)) throw new Error(`${source} is to be mounted and is not there`);
  mkdirSync(dirname(place), { recursive: true });
  cpSync(source, place, { recursive: true });
}

const programOf = ([program, ...words], image) => [program === 'node' ? image.node : program, words];

/** Starts the image's ENTRYPOINT and CMD. */
export function runImage(image, { name, environment, account, log }) {
  const [program, words] = programOf([...image.entrypoint, ...image.command], image);
  const options = { cwd: join(image.root, image.workdir), env: environment, uid: account.uid, gid: account.gid, log };
  const running = start(name, program, words, options);
  const guard = guardAgainstOrphan({ pid: running.pid, mark: words.join(' '), folder: null });
  void running.ended.then(guard.dismiss, guard.dismiss);
  return running;
}

/** Runs a program of the image beside the one that is running, as `docker exec` does: its exit code and output. */
export async function execute(image, argv, { environment, account }) {
  const [program, words] = programOf(argv, image);
  const options = { cwd: join(image.root, image.workdir), env: environment, uid: account.uid, gid: account.gid };
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = await once(child, 'close');
  return { code, output: output.trim() };
}

/**
 * Ends a program as an engine does: a signal to its first process alone.
 * @throws {Error} unless it ends by itself, with 0, within the time that compose gives it
 */
export async function endGracefully(program, graceMs) {
  signal(program.pid, 'SIGTERM');
  await waitUntil(() => program.hasEnded(), `the end of ${program.name} after SIGTERM`, { limitMs: graceMs });
  const outcome = await program.ended;
  if (outcome !== 0) throw new Error(`${program.name} ended with ${outcome} after SIGTERM`);
}

/** `40s`, `1m30s` in milliseconds. */
export function durationMs(text) {
  const [, minutes, seconds] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  if (minutes === undefined && seconds === undefined) throw new Error(`a duration that is not known here: ${text}`);
  return (Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000;
}
