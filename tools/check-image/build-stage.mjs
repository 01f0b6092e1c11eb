// Carries out the stages of a Dockerfile in folders, each the root of an image's file system.
import { spawnSync } from 'node:child_process';
import { cpSync, lchownSync, linkSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { substitute } from './dockerfile.mjs';

/** What of our own surroundings a builder has too: its way to the packages. */
const BUILDER = /^(?:PATH|HOME|LANG|(?:https?|no)_proxy|npm_config_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;

/**
 * @typedef {object} Image
 * @property {string} root folder that stands for `/`
 * @property {string} workdir path in the image
 * @property {Map<string, string>} environment by ENV
 * @property {{ uid: number, gid: number } | null} user
 * @property {string[]} entrypoint
 * @property {string[]} command
 * @property {{ flags: Map<string, string>, argv: string[] } | null} healthcheck
 *
 * @param {import('./dockerfile.mjs').Stage} stage
 * @param {{ root: string, globals: Map<string, string | null>, arguments: Map<string, string>, context: { folder: string, files: string[] },
 *   stages: Map<string, Image>, node: string, say: (line: string) => void }} options `stages`: those that were built before, by name;
 *   `node`: the program that the base image has
 * @returns {Image}
 * @throws {Error} with the line of the step that failed, and what it printed
 */
export function buildStage(stage, options) {
  const image = {
    root: options.root,
    workdir: '/',
    environment: new Map(),
    user: null,
    entrypoint: [],
    command: [],
    healthcheck: null,
  };
  mkdirSync(image.root, { recursive: true });
  const given = new Map();
  const lastRun = stage.steps.findLastIndex(({ type }) => type === 'run');
  for (const [index, step] of stage.steps.entries()) {
    try {
      carryOut(step, image, given, { ...options, untouched: index > lastRun });
    } catch (error) {
      throw new Error(`docker/Dockerfile:${step.line}: ${error.message}`, { cause: error });
    }
  }
  return image;
}

function carryOut(step, image, given, options) {
  const values = new Map([...given, ...image.environment]);
  const filled = (text) => substitute(text, values);
  switch (step.type) {
    case 'arg':
      return declare(step, given, options, filled);
    case 'env':
      for (const [name, value] of step.entries) image.environment.set(name, filled(value));
      return;
    case 'workdir':
      image.workdir = posix.resolve(image.workdir, filled(step.path));
      return void mkdirSync(join(image.root, image.workdir), { recursive: true });
    case 'copy':
      return copy(
        { ...step, sources: step.sources.map(filled), destination: filled(step.destination) },
        image,
        options,
      );
    case 'run':
      return run(step.command, image, values, options);
    case 'user':
      image.user = { uid: step.uid, gid: step.gid };
      return;
    case 'entrypoint':
      image.entrypoint = step.argv;
      return;
    case 'cmd':
      image.command = step.argv;
      return;
    case 'healthcheck':
      image.healthcheck = step;
      return;
    case 'expose':
      return;
    default:
      throw new Error(`${step.type} cannot be carried out`);
  }
}

function declare({ name, fallback }, given, { arguments: chosen, globals }, filled) {
  const value = chosen.get(name) ?? fallback ?? globals.get(name);
  if (value !== undefined && value !== null) given.set(name, filled(value));
}

function copy({ from, sources, destination }, image, { context, stages, untouched }) {
  const target = posix.resolve(image.workdir, destination);
  const intoFolder = destination.endsWith('/') || destination === '.' || sources.length > 1;
  for (const source of sources) {
    if (from === null) copyContext(source, join(image.root, target), intoFolder, context);
    else copyTree(join(stageOf(stages, from).root, source), join(image.root, target), intoFolder, untouched);
  }
}

function stageOf(stages, name) {
  const stage = stages.get(name);
  if (stage === undefined) throw new Error(`there is no stage ${name} before`);
  return stage;
}

/**
 * Of a folder the content is copied, of a file itself, as COPY does. Where no command follows, files of a stage need not be
 * written once more: nothing changes them.
 */
function copyTree(source, target, intoFolder, untouched = false) {
  const place = lstatSync(source).isDirectory() || !intoFolder ? target : join(target, source.split('/').at(-1));
  if (untouched && lstatSync(source).isDirectory()) linkTree(source, place);
  else cpSync(source, place, { recursive: true, verbatimSymlinks: true });
}

function linkTree(source, target) {
  const { mode } = lstatSync(source);
  mkdirSync(target, { recursive: true, mode });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) linkTree(from, to);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else linkSync(from, to);
  }
}

function copyContext(source, target, intoFolder, { folder, files }) {
  const wanted = posix.normalize(source).replace(/^\/|\/$/g, '');
  const inside = wanted === '.' ? files : files.filter((path) => path.startsWith(`${wanted}/`));
  if (inside.length === 0 && !files.includes(wanted)) throw new Error(`${source} is not sent to the builder`);
  if (inside.length === 0) return copyTree(join(folder, wanted), target, intoFolder);
  for (const path of inside) {
    const place = join(target, wanted === '.' ? path : path.slice(wanted.length + 1));
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(folder, path), place, { verbatimSymlinks: true });
  }
}

function run(command, image, values, { node, say }) {
  say(`RUN ${command}`);
  const surroundings = Object.entries(process.env).filter(([name]) => BUILDER.test(name));
  const { status, signal, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    cwd: join(image.root, image.workdir),
    env: {
      ...Object.fromEntries(surroundings),
      PATH: `${dirname(node)}:${process.env.PATH}`,
      ...Object.fromEntries(values),
    },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`RUN ${command}: ${status ?? signal}\n${tail(stdout)}${tail(stderr)}`);
}

const tail = (text) => text.split('\n').slice(-40).join('\n');

/** Gives what belongs to the image's user to the account that stands for it on this machine. */
export function giveTo(root, user, account) {
  const stat = lstatSync(root);
  if (stat.uid === user.uid) lchownSync(root, account.uid, account.gid);
  if (stat.isDirectory()) for (const name of readdirSync(root)) giveTo(join(root, name), user, account);
}
