// What a build needs of this machine to reach packages: its network, its certificates, how it acquires packages of Debian and of npm.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** This file alone: packages put certificates of their own beside it. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const APT = '/etc/apt/apt.conf.d/99this-machine';
/** Where the npm of an image looks for the settings of everybody. */
const NPM = '/usr/local/etc/npmrc';

/**
 * @param {string} folder for files that the builds read
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
  const npm = join(folder, 'npmrc');
  const settings = ['globalconfig', 'userconfig'].map((name) => printed('npm', 'config', 'get', name));
  writeFileSync(
    npm,
    settings
      .filter((path) => existsSync(path))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n'),
  );
  const mounted = [
    [CERTIFICATES, CERTIFICATES],
    [apt, APT],
    [npm, NPM],
  ];
  const volumes = mounted
    .filter(([path]) => existsSync(path))
    .flatMap(([path, place]) => ['--volume', `${path}:${place}:ro`]);
  return ['--network', 'host', ...volumes];
}

const printed = (command, ...words) => spawnSync(command, words, { encoding: 'utf8' }).stdout?.trim() ?? '';
