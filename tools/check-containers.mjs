// Builds the image of every app by podman from docker/Dockerfile, and runs the compose files and the manifests.
// sudo node tools/check-containers.mjs [--only standalone|distributed|kubernetes]... [--images FOLDER]
//   --images: images stay in this folder for the next run; otherwise nothing stays
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeOfImage } from './check-manifests/dockerfile.mjs';
import { provideImages } from './containers/base-images.mjs';
import { checkDistributed, checkStandalone, serverImages } from './containers/check-compose.mjs';
import { checkKubernetes } from './containers/check-kubernetes.mjs';
import { openEngine } from './containers/engine.mjs';
import { hasCompose, hasPodman, HOW_TO_INSTALL } from './containers/podman.mjs';

const CHECKS = { standalone: checkStandalone, distributed: checkDistributed, kubernetes: checkKubernetes };

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values: options } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: Object.keys(CHECKS) }, images: { type: 'string' } },
});
for (const name of options.only)
  if (CHECKS[name] === undefined) throw new Error(`--only ${name}: must be one of ${Object.keys(CHECKS).join(', ')}`);
if (!hasPodman() || !hasCompose()) {
  console.error(`There is no podman or no podman-compose. ${HOW_TO_INSTALL}`);
  process.exit(2);
}

const began = performance.now();
const say = (line) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
try {
  const engine = openEngine(options.images ?? null);
  await provideImages(
    engine,
    [`node:${nodeOfImage()}`, ...(options.only.every((name) => name === 'standalone') ? [] : serverImages())],
    say,
  );
  for (const [name, check] of Object.entries(CHECKS)) if (options.only.includes(name)) await check(engine, say);
  say('every image is built, started, asked and stopped');
} catch (error) {
  console.error(error.stack ?? error);
  process.exitCode = 1;
}
