// Flags that let a build reach packages as this machine does: its network, its certificates, and its settings for
// Debian and npm.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Only this file is passed on, because packages put their own certificates beside it. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const APT = '/etc/apt/apt.conf.d/99this-machine';
/** The file with the npm settings of all users of an image. */
const NPM = '/usr/local/etc/npmrc';

/**
 * @param {string} folder for files that the builds read
 * @returns {string[]} flags for `podman build`
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
