import { join } from 'node:path';
import { runProgram } from '../frame/checkouts.mjs';
import { FilledFolders } from '../frame/filled-folders.mjs';
import { inTurns } from '../frame/laurels.mjs';

/** Bytes for an event, log and read models with their indexes, after an import. */
export function bytes(options) {
  const folders = new FilledFolders();
  return inTurns({ ...options, rounds: 1 }, async (name, history, candidates) => {
    const tables = runProgram(name, 'bytes.mjs', join(await folders.of(name, history, candidates), 'data'));
    const perEvent = Object.entries(tables).map(([table, size]) => [table, size / history.events]);
    console.log(`${name}: ${perEvent.map(([table, size]) => `${table} ${size.toFixed(0)}`).join(', ')}`);
    return { value: perEvent.reduce((sum, [, size]) => sum + size, 0) };
  });
}
