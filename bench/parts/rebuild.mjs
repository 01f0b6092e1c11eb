import { runProgram } from '../frame/checkouts.mjs';
import { FilledFolders } from '../frame/filled-folders.mjs';
import { inTurns } from '../frame/laurels.mjs';

/** CPU time of Node and Postgres while the log is applied again and every read model written. */
export function rebuild(options) {
  const folders = new FilledFolders();
  return inTurns(options, async (name, history, candidates) => {
    const folder = await folders.of(name, history, candidates);
    const { node, database, seconds, applied } = runProgram(name, 'rebuild.mjs', folder);
    if (node === null) throw new Error('CPU time is read from /proc, which is not here');
    const rate = Math.round(applied / seconds);
    console.log(`${name}: ${rate} records/s, Node ${node.toFixed(1)} µs, Postgres ${database.toFixed(1)} µs`);
    return { value: node + database };
  });
}
