import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Debian's packages: the engine, what runs containers, their networks and names, their first process, and what base images are made with. */
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
/** Programs of the engine itself, which no PATH finds. */
const HELPERS = ['netavark', 'aardvark-dns'].map((name) => [`/usr/lib/podman/${name}`, `/usr/libexec/podman/${name}`]);

/** Of PyPI: Debian's own is too old to merge compose files by `!reset`. */
export const COMPOSE_PACKAGES = ['podman-compose==1.6.0'];
export const COMPOSE_FOLDER = fileURLToPath(new URL('../../node_modules/.cache/podman-compose', import.meta.url));
export const COMPOSE = join(COMPOSE_FOLDER, 'podman_compose.py');

export const HOW_TO_INSTALL = `It needs Debian's packages ${PACKAGES.join(', ')}, and to be root.`;

/** @returns {boolean} whether an engine can be started by this process */
export const hasPodman = () =>
  process.geteuid?.() === 0 &&
  PROGRAMS.every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined) &&
  HELPERS.every((places) => places.some((place) => existsSync(place)));

export const hasCompose = () =>
  spawnSync('python3', [COMPOSE, '--version'], { stdio: 'ignore', env: composeEnvironment() }).status === 0;

export const composeEnvironment = () => ({ ...process.env, PYTHONPATH: COMPOSE_FOLDER });
