// Applies the log of a data folder again: node bench/programs/rebuild.mjs DATA_DIR. Runs in this checkout and in that of d8b6d74
// alike, and measures the second time. The service that owns the folder must be stopped. The digest must be the same before and after.
import * as areas from '@laurel/areas';
import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
import { cpuOf } from '../frame/cpu.mjs';

const server = await startEmbeddedPostgres({ dataDir: process.argv[2] });
const digest = async () => JSON.stringify(await (areas.storedDigest?.(server.connection, 'default') ?? digestBefore()));
const before = await digest();
await areas.rebuildStopped(server.connection, []);
const cpuBefore = cpuOf(process.pid);
const beganMs = performance.now();
const { applied } = await areas.rebuildStopped(server.connection, []);
const seconds = (performance.now() - beganMs) / 1_000;
const cpuAfter = cpuOf(process.pid);
if ((await digest()) !== before) throw new Error('the digest has changed');
await server.stop();
const perEvent = (of) => cpuBefore && ((cpuAfter[of] - cpuBefore[of]) * 1_000) / applied;
console.log(JSON.stringify({ applied, seconds, node: perEvent('node'), database: perEvent('database') }));

/** d8b6d74 has no storedDigest, and its engine is @laurel/projections. */
async function digestBefore() {
  const { digestOf } = await import('@laurel/projections');
  return digestOf(server.connection, 'default', areas.DIGESTED_AREAS);
}
