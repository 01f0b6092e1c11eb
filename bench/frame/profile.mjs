import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { waitUntil } from '../../tools/processes.mjs';

const PROFILER = pathToFileURL(new URL('profiler.mjs', import.meta.url).pathname).href;
const WRITTEN_WITHIN_MS = 30_000;

/** The environment of a candidate that can be profiled. @param {string} folder where its profile is written */
export const profiled = (folder) => ({
  NODE_OPTIONS: `--import=${PROFILER}`,
  BENCH_PROFILE_FILE: join(folder, 'laurel.cpuprofile'),
});

/**
 * Profiles the main thread of a candidate while it works.
 *
 * @param {{ pid: number }} candidate started with the environment of `profiled(folder)`
 * @param {() => Promise<{ count: number }>} work
 * @returns {Promise<Record<string, number>>} µs of main thread time for each of `count`, by library
 */
export async function profile({ pid }, folder, work) {
  const file = profiled(folder).BENCH_PROFILE_FILE;
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const { count } = await work();
  process.kill(pid, 'SIGUSR2');
  await waitUntil(() => existsSync(file), 'the profile is written', { limitMs: WRITTEN_WITHIN_MS });
  const spent = spentOn(JSON.parse(readFileSync(file, 'utf8')));
  return Object.fromEntries([...spent].map(([what, us]) => [what, Number((us / count).toPrecision(3))]));
}

/** Attributes each sample to the innermost library of Laurel on its stack, except the shared ones. */
function spentOn({ nodes, samples, timeDeltas }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const names = new Map();
  const nameOf = (id) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const node = byId.get(id);
    const parent = parents.get(id);
    const name = ownName(node.callFrame) ?? (parent === undefined ? OTHERS : nameOf(parent));
    names.set(id, name);
    return name;
  };
  const spent = new Map();
  for (const [index, id] of samples.entries()) {
    const name = nameOf(id);
    if (name !== IDLE) spent.set(name, (spent.get(name) ?? 0) + timeDeltas[index]);
  }
  return spent;
}

const IDLE = '(idle)';
const OTHERS = 'Node and packages, called by none of these';
const NATIVE = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['writev', 'writing to sockets'],
  [IDLE, IDLE],
]);
/** Attributed to their callers. */
const SHARED = new Set(['kernel', 'ports', 'schemas', 'calendar', 'amounts', 'database']);

/** undefined: the frame is attributed to its caller. */
function ownName({ url, functionName }) {
  const native = url === '' ? NATIVE.get(functionName) : undefined;
  const library = /\/libs\/(?:[^/]+\/)?([^/]+)\/dist\//.exec(url)?.[1];
  return native ?? (library === undefined || SHARED.has(library) ? undefined : library);
}
