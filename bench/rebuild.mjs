// The log applied again: records per second, in a data folder that holds a history.
//
//   node bench/rebuild.mjs --data-dir DIR [--rounds 3]
//
// The service that owns the folder must be stopped. The digest must be the same before and after.
import { parseArgs } from 'node:util';
import { DIGESTED_AREAS, rebuildStopped } from '@laurel/areas';
import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
import { digestOf } from '@laurel/projections';
import { machine, median } from './service.mjs';

const { values } = parseArgs({
  options: { 'data-dir': { type: 'string' }, rounds: { type: 'string', default: '3' } },
});
const server = await startEmbeddedPostgres({ dataDir: values['data-dir'] });
const digest = async () => JSON.stringify(await digestOf(server.connection, 'default', DIGESTED_AREAS));
const before = await digest();
const rates = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const beganMs = performance.now();
  const { applied } = await rebuildStopped(server.connection, []);
  rates.push((applied / (performance.now() - beganMs)) * 1_000);
}
if ((await digest()) !== before) throw new Error('the digest has changed');
await server.stop();
console.log(machine());
console.log(`${values.rounds} rounds, median: ${Math.round(median(rates))} records/s`);
