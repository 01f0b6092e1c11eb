// Installs podman and podman-compose for the checks of the images, if they are missing: node tools/ensure-podman.mjs
// The exit code is 1 if one of them is still missing afterwards.
import { spawnSync } from 'node:child_process';
import {
  COMPOSE_FOLDER,
  COMPOSE_PACKAGES,
  hasCompose,
  hasPodman,
  HOW_TO_INSTALL,
  PACKAGES,
} from './containers/podman.mjs';

const run = (command, ...words) =>
  spawnSync(command, words, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status ===
  0;

if (!hasPodman() && run('apt-get', '--quiet', 'update'))
  run('apt-get', '--quiet', '--yes', '--no-install-recommends', 'install', ...PACKAGES);
if (hasPodman() && !hasCompose())
  run('python3', '-m', 'pip', 'install', '--quiet', '--target', COMPOSE_FOLDER, '--upgrade', ...COMPOSE_PACKAGES);
const ready = hasPodman() && hasCompose();
console.log(
  ready ? 'podman and podman-compose are installed.' : `There is no podman or no podman-compose. ${HOW_TO_INSTALL}`,
);
process.exitCode = ready ? 0 : 1;
