// Bundles the console for browsers into `dist/web` of @laurel/console-server, with hashed names, each file also compressed.
// Fails if a page has grown beyond its bound. Part of `npm run build`.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { projectsOf, rootOf } from './projects.mjs';

const PROJECTS = projectsOf();
const SOURCE = rootOf(PROJECTS, '@laurel/console');
/** The schema from which the editor suggests completions. */
const SCHEMA = 'docs/configuration.schema.json';
const OUTPUT = `${rootOf(PROJECTS, '@laurel/console-server')}/dist/web`;
const ASSETS = '/console/assets/';
/**
 * Limits in bytes after brotli compression: for the files that every page loads, and for the files that one page adds.
 */
const BOUNDS = { shell: 25_000, page: 20_000, charts: 25_000, editor: 150_000 };
const CHARTS = `${SOURCE}/src/charts`;
const EDITOR = `${SOURCE}/src/pages/configuration.tsx`;

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(join(OUTPUT, 'assets'), { recursive: true });

const SHARED = {
  bundle: true,
  format: 'esm',
  target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
};
const { metafile, outputFiles } = await build({
  ...SHARED,
  entryPoints: [`${SOURCE}/src/main.tsx`],
  splitting: true,
  // A string is inserted where it is used. An object would become a module that every page loads.
  define: { CONFIGURATION_SCHEMA: JSON.stringify(JSON.stringify(JSON.parse(readFileSync(SCHEMA, 'utf8')))) },
  outdir: join(OUTPUT, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  metafile: true,
});

const brotli = (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
const compressed = new Map();
function store(path, content) {
  const br = brotli(content);
  writeFileSync(path, content);
  writeFileSync(`${path}.br`, br);
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  compressed.set(basename(path), br.length);
}

for (const { path, contents } of outputFiles) store(path, Buffer.from(contents));
const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ name: basename(path), ...output }));
const entry = outputs.find(({ entryPoint }) => entryPoint === `${SOURCE}/src/main.tsx`);
const page = readFileSync(`${SOURCE}/index.html`, 'utf8')
  .replace('{{script}}', ASSETS + entry.name)
  .replace('{{style}}', ASSETS + basename(entry.cssBundle));
store(join(OUTPUT, 'index.html'), Buffer.from(page));
writeFileSync(join(OUTPUT, 'manifest.json'), JSON.stringify({ assets: outputs.map(({ name }) => name) }));

const byName = new Map(outputs.map((output) => [output.name, output]));
/** All files that are loaded together with an output: its static imports and, in turn, their imports. */
function loadedWith(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind } of byName.get(name).imports)
    if (kind === 'import-statement') loadedWith(basename(path), found);
  return found;
}
const sizeOf = (names) => [...names].reduce((sum, name) => sum + compressed.get(name), 0);
const shell = loadedWith(entry.name).add(basename(entry.cssBundle));
const problems = [];
const hold = (what, size, bound) => size > bound && problems.push(`${what}: ${size} bytes, more than ${bound}`);
hold('the shell', sizeOf(shell), BOUNDS.shell);
for (const { name, entryPoint } of outputs)
  if (entryPoint !== undefined && name !== entry.name)
    hold(
      entryPoint,
      sizeOf([...loadedWith(name)].filter((one) => !shell.has(one))),
      entryPoint === EDITOR ? BOUNDS.editor : BOUNDS.page,
    );
// The modules of charts are parts of the pages that show them. To measure them, they are bundled together with
// everything that they import.
const charts = await build({
  ...SHARED,
  stdin: {
    contents: readdirSync(CHARTS)
      .map((name) => `export * from './${name}';`)
      .join('\n'),
    resolveDir: CHARTS,
  },
  external: ['preact', 'preact/*'],
});
hold('the charts', brotli(charts.outputFiles[0].contents).length, BOUNDS.charts);
for (const problem of problems) console.error(problem);
console.log(`console: shell ${sizeOf(shell)} bytes, ${outputs.length} files`);
if (problems.length > 0) process.exitCode = 1;
