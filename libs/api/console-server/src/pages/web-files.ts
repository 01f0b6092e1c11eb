import { existsSync, readFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { dirname, join } from 'node:path';

/** A file of the built console, plain and compressed. */
export interface WebFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
  /** A name derived from its content. */
  readonly etag: string;
}

/** The page, and the assets by their hashed names. No other file of the disk is served. */
export interface WebFiles {
  readonly page: WebFile;
  readonly assets: ReadonlyMap<string, WebFile>;
}

/** `manifest.json`, which the build writes. */
interface Manifest {
  readonly assets: readonly string[];
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The output folder of `npm run build` for the console. */
const BUILT = join(dirname(createRequire(import.meta.url).resolve('@laurel/console-server/package.json')), 'dist/web');

/**
 * Reads the whole built console into memory: about half a megabyte.
 * @param basePath the path before `/console` in a browser
 * @returns null if it was not built here. @throws Error if one of its files is missing
 */
export function readWebFiles(basePath: string, folder = BUILT): WebFiles | null {
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest)) return null;
  const { assets } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
  return {
    page: below(basePath, readWebFile(folder, 'index.html')),
    assets: new Map(assets.map((name) => [name, readWebFile(join(folder, 'assets'), name)])),
  };
}

/** Makes the page load its assets below the base path. */
function below(basePath: string, page: WebFile): WebFile {
  if (basePath === '') return page;
  const plain = Buffer.from(page.plain.toString('utf8').replaceAll('"/console/', `"${basePath}/console/`));
  return { type: page.type, plain, gzip: gzipSync(plain), br: brotliCompressSync(plain), etag: etagOf(plain) };
}

const etagOf = (plain: Buffer): string => hash('sha256', plain, 'base64url').slice(0, 22);

function readWebFile(folder: string, name: string): WebFile {
  const plain = readFileSync(join(folder, name));
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (type === undefined) throw new Error(`the console has a file of an unknown type: ${name}`);
  return {
    type,
    plain,
    gzip: readFileSync(join(folder, `${name}.gz`)),
    br: readFileSync(join(folder, `${name}.br`)),
    etag: etagOf(plain),
  };
}
