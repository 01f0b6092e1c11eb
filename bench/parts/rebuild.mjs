import { FilledFolders } from '../frame/filled-folders.mjs';
import { inTurns } from '../frame/laurels.mjs';
import { digestOf, rebuildIn } from '../frame/run-rebuild.mjs';

/**
 * CPU time of Node and Postgres while a service applies its log again and writes every read model; the second time, when the code is
 * warm. The digest must be the same before and after.
 */
export function rebuild(options) {
  const folders = new FilledFolders();
  return inTurns(options, async (name, history, candidates) => {
    const folder = await folders.of(name, history, candidates);
    const service = await candidates.start(name, { folder });
    const before = digestOf(service);
    rebuildIn(service);
    const { node, database, seconds, applied } = rebuildIn(service);
    if (digestOf(service) !== before) throw new Error(`${name}: the digest has changed`);
    await service.stop();
    const rate = Math.round(applied / seconds);
    console.log(`${name}: ${rate} records/s, Node ${node.toFixed(1)} µs, Postgres ${database.toFixed(1)} µs`);
    return { value: node + database, cpu: node + database };
  });
}
