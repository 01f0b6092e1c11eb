import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Packages of Debian: the engine, its runtime, its network and name service, the first process of containers, and the
 * tools for base images.
 */
export const PACKAGES = [
  'podman',
  'runc',
  'netavark',
  'aardvark-dns',
  'iptables',
  'catatonit',
  'debootstrap',
  'python3-pip',
];
const PROGRAMS = ['podman', 'runc', 'iptables', 'catatonit', 'debootstrap'];
/** Programs that the engine needs, which are not on the PATH. */
const HELPERS = ['netavark', 'aardvark-dns'].map((name) => [`/usr/lib/podman/${name}`, `/usr/libexec/podman/${name}`]);

/** Packages of PyPI: the version in Debian is too old to merge compose files with `!reset`. */
export const COMPOSE_PACKAGES = ['podman-compose==1.6.0'];
export const COMPOSE_FOLDER = fileURLToPath(new URL('../../node_modules/.cache/podman-compose', import.meta.url));
export const COMPOSE = join(COMPOSE_FOLDER, 'podman_compose.py');

export const HOW_TO_INSTALL = `It needs Debian's packages ${PACKAGES.join(', ')}, and to be root.`;

/** @returns {boolean} whether this process can start an engine */
export const hasPodman = () =>
  process.geteuid?.() === 0 &&
  PROGRAMS.every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined) &&
  HELPERS.every((places) => places.some((place) => existsSync(place)));

export const hasCompose = () =>
  spawnSync('python3', [COMPOSE, '--version'], { stdio: 'ignore', env: composeEnvironment() }).status === 0;

export const composeEnvironment = () => ({ ...process.env, PYTHONPATH: COMPOSE_FOLDER });
