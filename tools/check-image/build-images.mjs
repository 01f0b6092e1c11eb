// The image of every app that a compose file builds: what all have in common is carried out once.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROCESSES } from '@laurel/contracts/topology';
import { buildStage, giveTo } from './build-stage.mjs';
import { accountFor } from './container.mjs';
import { contextFiles, readIgnore } from './docker-context.mjs';
import { readDockerfile, substitute } from './dockerfile.mjs';
import { nodeOfImage } from './image-node.mjs';

export const TOPOLOGIES = {
  standalone: { compose: 'docker/standalone.compose.yaml', apps: ['standalone'] },
  distributed: {
    compose: 'docker/compose.yaml',
    apps: PROCESSES.map(({ name }) => name),
  },
};

/**
 * @returns {Map<string, import('./build-stage.mjs').Image & { account: { uid: number, gid: number } }>} by app
 */
export function buildImages({ root, work, say }) {
  const { globals, stages } = readDockerfile(readFileSync(join(root, 'docker/Dockerfile'), 'utf8'));
  const node = nodeOfImage(nodeVersionOf(stages, globals), join(work, 'node'));
  say(`Node ${nodeVersionOf(stages, globals)}: ${node}`);
  const files = contextFiles(root, readIgnore(readFileSync(join(root, '.dockerignore'), 'utf8')));
  say(`${files.length} files are sent to the builder`);
  const built = new Map();
  const common = { globals, context: { folder: root, files }, stages: built, node, say };
  for (const [index, stage] of stages.slice(0, -1).entries()) {
    const options = { ...common, root: join(work, 'stages', String(index)), arguments: new Map() };
    built.set(stage.name, buildStage(stage, options));
  }
  const apps = Object.values(TOPOLOGIES).flatMap((topology) => topology.apps);
  return new Map(apps.map((app) => [app, buildImage(app, stages.at(-1), { ...common, work, say })]));
}

/**
 * The base image is not fetched; its Node is run on this system.
 * @throws {Error} unless every stage is on the same exact version of a slim Node
 */
function nodeVersionOf(stages, globals) {
  const given = new Map([...globals].filter(([, value]) => value !== null));
  const bases = stages.map(({ line, from }) => {
    const [, version] = /^node:(\d+\.\d+\.\d+)-\w+-slim$/.exec(substitute(from, given)) ?? [];
    if (version === undefined) throw new Error(`docker/Dockerfile:${line}: ${from} is no exact version of a slim Node`);
    return version;
  });
  if (new Set(bases).size !== 1) throw new Error(`docker/Dockerfile: stages on Node ${bases.join(', ')}`);
  return bases[0];
}

function buildImage(app, stage, { work, say, ...common }) {
  const quiet = () => undefined;
  const options = { ...common, root: join(work, 'images', app), arguments: new Map([['APP', app]]), say: quiet };
  const image = buildStage(stage, options);
  if (image.user === null || image.user.uid === 0) throw new Error('docker/Dockerfile: the image runs as root');
  if (image.healthcheck === null) throw new Error('docker/Dockerfile: the image has no HEALTHCHECK');
  const account = accountFor(image.user);
  giveTo(image.root, image.user, account);
  refuseCompiler(join(image.root, image.workdir, 'node_modules'));
  const { files, bytes } = contentOf(join(image.root, image.workdir));
  say(`image of ${app}: ${files} files, ${Math.round(bytes / 1024 / 1024)} MiB above the base`);
  return { ...image, account, node: common.node };
}

function refuseCompiler(packages) {
  if (existsSync(join(packages, 'typescript'))) throw new Error('the compiler has got into the image');
}

/** @throws {Error} if sources or tests have got into the image */
function contentOf(folder) {
  const sum = { files: 0, bytes: 0 };
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const ours = !path.includes('/node_modules/');
    if (entry.isFile() && (/\.[cm]?tsx?$/.test(entry.name) || (ours && /\.test\.js$|\.tsbuildinfo$/.test(entry.name))))
      throw new Error(`${path} is of no use in an image`);
    const inside = entry.isDirectory()
      ? contentOf(path)
      : { files: 1, bytes: entry.isFile() ? statSync(path).size : 0 };
    sum.files += inside.files;
    sum.bytes += inside.bytes;
  }
  return sum;
}
