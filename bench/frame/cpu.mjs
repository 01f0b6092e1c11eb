import { readFileSync, readdirSync } from 'node:fs';

/** As the kernel counts on every architecture that Node runs on. */
const MS_PER_TICK = 10;
const DATABASES = new Set(['postgres', 'redis-server']);

/**
 * CPU time that a program and all that it started have taken so far, in ms, with that of their children that have ended.
 * @returns {{ node: number, database: number } | null} null where there is no /proc
 */
export function cpuOf(pid) {
  const processes = running();
  if (processes === null) return null;
  const used = { node: 0, database: 0 };
  const tree = [pid];
  for (const id of tree) {
    for (const [child, { parent }] of processes) if (parent === id) tree.push(child);
    const found = processes.get(id);
    if (found !== undefined) used[DATABASES.has(found.name) ? 'database' : 'node'] += found.ms;
  }
  return used;
}

function running() {
  let names;
  try {
    names = readdirSync('/proc');
  } catch {
    return null;
  }
  const ids = names.filter((name) => /^\d+$/.test(name));
  const processes = new Map(ids.map((name) => [Number(name), statOf(name)]).filter(([, stat]) => stat !== null));
  return processes.size === 0 ? null : processes;
}

function statOf(id) {
  let text;
  try {
    text = readFileSync(`/proc/${id}/stat`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return null;
  }
  // The name is in brackets and may hold anything.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { name: text.slice(text.indexOf('(') + 1, end), parent: Number(fields[1]), ms: ticks * MS_PER_TICK };
}
