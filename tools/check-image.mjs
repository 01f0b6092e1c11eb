// Carries docker/Dockerfile out without a container engine, for every app that the compose files name: the files that
// .dockerignore lets through are copied into empty folders, its commands run there, and what comes out is started under
// another user with exactly the environment that the compose file gives, until /readyz answers 200 and an event is
// answered in full. That images can be built and run by an engine is not shown by this.
// sudo node tools/check-image.mjs [--only standalone|distributed] [--kafka HOST:PORT] [--eventstore HOST:PORT] [--keep]
//   servers that are not named are started here
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildImages } from './check-image/build-images.mjs';
import { checkDistributed, checkStandalone } from './check-image/check-topology.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    kafka: { type: 'string' },
    eventstore: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

if (process.geteuid() !== 0) {
  console.error('The image runs under another user than it is built by: start this as root.');
  process.exit(2);
}
// As in a builder, whatever it is where this is started.
process.umask(0o022);
process.chdir(root);
if (!['standalone', 'distributed', undefined].includes(options.only)) throw new Error(`--only ${options.only}`);
const work = mkdtempSync(join(tmpdir(), 'laurel-image-'));
const began = performance.now();
const say = (line) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(130));
process.once('exit', () => {
  if (!options.keep) rmSync(work, { recursive: true, force: true });
});

try {
  // Everybody may pass: the program runs under another user.
  chmodSync(work, 0o755);
  const images = buildImages({ root, work, say });
  const surroundings = { root, work, images, options, say };
  if (options.only !== 'distributed') await checkStandalone(surroundings);
  if (options.only !== 'standalone') await checkDistributed(surroundings);
  say(`${images.size} images carried out, started, asked and ended`);
} catch (error) {
  console.error(error.stack ?? error);
  process.exitCode = 1;
}
