import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './surroundings.mjs';
import { FORMS, startForm } from './topologies.mjs';

/**
 * Starts one form after the other, each with a broker and a database of its own, and stops it before the next one starts: whatever is
 * measured has the machine to itself.
 *
 * @template T
 * @param {{ forms: readonly (keyof typeof FORMS)[], configuration: string, partitions: number }} options
 * @param {(form: import('./topologies.mjs').Installation) => Promise<T>} measure
 * @returns {Promise<(T & { name: string, title: string })[]>} what `measure` answered, by form
 */
export async function measureForms({ forms, configuration, partitions }, measure) {
  for (const name of forms)
    if (!(name in FORMS)) throw new Error(`${name} is none of ${Object.keys(FORMS).join(', ')}`);
  const measured = [];
  for (const name of forms)
    await inFolder(async (folder) => {
      const form = await startForm(name, { folder, configuration, partitions });
      try {
        measured.push({ name, title: form.title, ...(await measure(form)) });
      } finally {
        await form.stop();
      }
    });
  return measured;
}

/** Gives `work` a folder that is removed afterwards. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
  // As root, Postgres runs as another user, who must be able to pass through.
  chmodSync(folder, 0o755);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For an event, by process. */
export const microseconds = (before, after, events) =>
  new Map([...after].map(([name, ms]) => [name, ((ms - before.get(name)) * 1_000) / events]));

export const mediansOf = (some, fields) =>
  Object.fromEntries(fields.map((field) => [field, rounded(median(some.map((one) => one[field])))]));

/** `microseconds` of CPU for an event over all processes, and those of each. */
export function cpuMedians(some) {
  const of = (read) => rounded(median(some.map(({ cpu }) => read(cpu))));
  return {
    microseconds: of((cpu) => [...cpu.values()].reduce((sum, one) => sum + one, 0)),
    processes: Object.fromEntries([...some[0].cpu.keys()].map((name) => [name, of((cpu) => cpu.get(name))])),
  };
}

export const rounded = (value) => Number(value.toPrecision(3));
