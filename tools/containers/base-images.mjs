// The base images of this project's images and of the compose files. They are pulled or, if no registry can be reached,
// built from packages of Debian under the same names. Such images prove that this project's images work in an engine,
// but not how the original base images behave.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchKafka } from '../kafka/fetch-kafka.mjs';
import { builderFlags } from './builder.mjs';

const BASES = fileURLToPath(new URL('./bases', import.meta.url));
const KAFKA = fileURLToPath(new URL('../kafka', import.meta.url));
const DEBIAN = 'docker.io/library/debian:bookworm-slim';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const NPM = 'npm@11';

/** For each image, by its name without the version: creates the files that its build needs beside its Containerfile. */
const MADE = {
  node: (context, version, { run }) => {
    const npm = ['install', '--prefix', context, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    return run('npm', ...npm, `node@${version.split('-')[0]}`, NPM);
  },
  postgres: () => undefined,
  'apache/kafka': async (context) => {
    cpSync(await fetchKafka(), join(context, 'jars'), { recursive: true });
    copyFileSync(join(KAFKA, 'log4j2.properties'), join(context, 'log4j2.properties'));
  },
};

/**
 * @param {import('./engine.mjs').Engine} engine
 * @param {readonly string[]} images names as in a Dockerfile or a compose file
 */
export async function provideImages(engine, images, say) {
  for (const image of images) {
    if (await succeeds(engine.podman('image', 'exists', image))) continue;
    if (await succeeds(engine.podman('pull', '--quiet', image))) say(`${image}: pulled`);
    else await makeImage(engine, image, say);
  }
}

const succeeds = (running) =>
  running.then(
    () => true,
    () => false,
  );

async function makeImage(engine, image, say) {
  const [name, version] = image.split(':');
  if (MADE[name] === undefined)
    throw new Error(`${image} cannot be pulled, and nothing is known of which it could be made`);
  await makeDebian(engine, say);
  const context = join(engine.work, name.replace('/', '-'));
  cpSync(join(BASES, name.split('/').at(-1)), context, { recursive: true });
  await MADE[name](context, version, engine);
  const full = name.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`;
  await engine.podman(
    'build',
    ...builderFlags(engine.work),
    '--file',
    join(context, 'Containerfile'),
    '--tag',
    full,
    context,
  );
  rmSync(context, { recursive: true });
  say(`${image}: could not be pulled, and is made of Debian's packages`);
}

async function makeDebian(engine, say) {
  if (await succeeds(engine.podman('image', 'exists', DEBIAN))) return;
  const root = join(engine.work, 'debian');
  mkdirSync(root);
  await engine.run(
    'debootstrap',
    '--variant=minbase',
    '--include=ca-certificates,libatomic1',
    'bookworm',
    root,
    ...mirror(),
  );
  const file = `${root}.tar`;
  await engine.run('tar', '--directory', root, '--create', '--file', file, '.');
  await engine.podman('import', '--change', `ENV PATH=${PATH}`, '--change', 'CMD bash', file, DEBIAN);
  for (const path of [root, file]) rmSync(path, { recursive: true });
  say(`${DEBIAN}: made by debootstrap`);
}

/** The address from which this machine gets Debian packages, or an empty list if debootstrap is to use its default. */
function mirror() {
  const format = '$(REPO_URI)';
  const chosen = ['Created-By: Packages', 'Codename: bookworm', 'Component: main', 'Origin: Debian'];
  const { stdout } = spawnSync('apt-get', ['indextargets', '--format', format, ...chosen], { encoding: 'utf8' });
  return [...new Set((stdout ?? '').split('\n'))].filter((uri) => /\/debian\/?$/.test(uri)).slice(0, 1);
}
