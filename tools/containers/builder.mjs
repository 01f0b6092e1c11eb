// What a build needs of this machine to reach packages: its network, its certificates, how it acquires packages of Debian and of npm.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** This file alone: packages put certificates of their own beside it. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const APT = '/etc/apt/apt.conf.d/99this-machine';
/** Where the npm of an image looks for settings. */
const NPM = { globalconfig: '/usr/local/etc/npmrc', userconfig: '/root/.npmrc' };

/**
 * @param {string} folder for a file that the builds read
 * @returns {string[]} flags of `podman build`
 */
export function builderFlags(folder) {
  const apt = join(folder, 'apt.conf');
  writeFileSync(
    apt,
    `${
      printed('apt-config', 'dump')
        .match(/^Acquire::.*$/gm)
        ?.join('\n') ?? ''
    }\n`,
  );
  const mounted = [
    [CERTIFICATES, CERTIFICATES],
    [apt, APT],
    ...Object.entries(NPM).map(([setting, place]) => [printed('npm', 'config', 'get', setting), place]),
  ];
  const volumes = mounted
    .filter(([path]) => existsSync(path))
    .flatMap(([path, place]) => ['--volume', `${path}:${place}:ro`]);
  return ['--network', 'host', ...volumes];
}

const printed = (command, ...words) => spawnSync(command, words, { encoding: 'utf8' }).stdout?.trim() ?? '';
