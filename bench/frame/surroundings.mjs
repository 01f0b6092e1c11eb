import { spawnSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

const git = (...words) => spawnSync('git', words, { encoding: 'utf8' }).stdout.trim();

const hardware = () => `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;

/** What a figure depends on; stored beside each. */
export function surroundings() {
  const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
  return {
    machine: hardware(),
    node: process.version,
    commit: git('rev-parse', '--short', 'HEAD') + (changed ? ' with changes' : ''),
    date: new Date().toISOString().slice(0, 10),
    load: Number(loadavg()[0].toFixed(1)),
  };
}

/** In one line, for those that print what they found. */
export const machine = () => `${hardware()}, Node ${process.version}, Postgres 18 embedded, all on this machine`;

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
