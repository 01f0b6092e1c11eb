// Lets plain `node` run the sources, for tests that need a separate process to kill:
//   node --conditions=@laurel/source --import <this file> program.ts
// The same compiler and options as in the jest configuration. What it compiles, it keeps for the next process.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const OPTIONS = {
  sourceMaps: 'inline',
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
    experimental: { keepImportAssertions: true },
  },
  module: { type: 'es6' },
};

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/**
 * The folder of the transpiled files, one for each source. It lies in node_modules, so that `npm ci` removes it with
 * the compiler.
 */
const CACHE = join(ROOT, 'node_modules/.cache/laurel/transpiled');
const COMPILER = join(ROOT, 'node_modules/@swc/core/package.json');

const sha256 = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex');

// Hooks run in a separate thread, which loads this file again.
if (isMainThread) register(import.meta.url);

/** Besides its source, the inputs of a file's code. */
let compiler;

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  compiler ??= readFile(COMPILER, 'utf8').then((manifest) => sha256(manifest, JSON.stringify(OPTIONS)));
  const source = await readFile(filename, 'utf8');
  const code = await kept(relative(ROOT, filename), sha256(await compiler, source), async () => {
    const { transform } = await import('@swc/core');
    return (await transform(source, { filename, ...OPTIONS })).code;
  });
  return { format: 'module', source: code, shortCircuit: true };
}

/** The code of a file of this checkout, cached until its digest changes. */
async function kept(path, digest, make) {
  if (path.startsWith('..')) return make();
  const place = join(CACHE, sha256(path));
  const [line, ...lines] = (await readFile(place, 'utf8').catch(() => '')).split('\n');
  if (line === digest) return lines.join('\n');
  const code = await make();
  // Written under a unique name first, because other processes read and write at the same time. If the folder is not
  // writable, nothing is cached.
  const draft = `${place}.${randomBytes(6).toString('hex')}`;
  await mkdir(CACHE, { recursive: true })
    .then(() => writeFile(draft, `${digest}\n${code}`))
    .then(() => rename(draft, place))
    .catch(() => rm(draft, { force: true }));
  return code;
}
