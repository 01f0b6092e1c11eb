// The dist/main.js of a service, which runs main.cjs beside it. A process that ends normally stores the code that V8
// has compiled beside these files; later starts with the same Node and flags load it instead of compiling again. Node
// 20 has no such cache of its own.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** Smaller sources are compiled faster than their compiled code is read. */
const LEAST_CHARACTERS = 100_000;
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];
/** The stored code begins with two checksums: of the source and of the code. */
const HEADER_BYTES = 8;

const requirePackage = createRequire(import.meta.url);
const modules = new Map();
const compiledNow = new Map();

/** The `require` of a bundled module. Its properties, such as `resolve`, are those of the `require` for packages. */
const requireFrom = Object.assign(
  (name) => (name.startsWith('./') ? load(name.slice(2).replace(/\.js$/, '.cjs')) : requirePackage(name)),
  requirePackage,
);

function load(name) {
  const present = modules.get(name);
  if (present !== undefined) return present.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const path = FOLDER + name;
  compile(path).runInThisContext()(module.exports, requireFrom, module, path, FOLDER.slice(0, -1));
  return module.exports;
}

function compile(filename) {
  const source = readFileSync(filename, 'utf8');
  const wrapped = WRAPPER.join(source);
  if (source.length < LEAST_CHARACTERS) return new Script(wrapped, { filename });
  const place = `${filename}.${cachedDataVersionTag().toString(16)}.code`;
  const checksum = crc32(source);
  const cachedData = storedCode(place, checksum);
  const script = new Script(wrapped, { filename, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) compiledNow.set(place, { script, checksum });
  return script;
}

/** @returns {Buffer | undefined} undefined if no code was stored for this source, or it is damaged */
function storedCode(place, checksum) {
  try {
    const stored = readFileSync(place);
    const code = stored.subarray(HEADER_BYTES);
    const isWhole = stored.readUInt32LE(0) === checksum && stored.readUInt32LE(4) === crc32(code);
    return isWhole ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Stores compiled code. If nothing can be written, as in an image, each start compiles again. */
function storeCode(place, { script, checksum }) {
  const draft = `${place}.${process.pid}`;
  try {
    const code = script.createCachedData();
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(checksum, 0);
    header.writeUInt32LE(crc32(code), 4);
    writeFileSync(draft, Buffer.concat([header, code]));
    renameSync(draft, place);
  } catch {
    rmSync(draft, { force: true });
  }
}

// When the process ends, everything that a start needs has been compiled. After a refused start there is little to
// store.
process.once('exit', (status) => {
  if (status === 0) for (const [place, compiled] of compiledNow) storeCode(place, compiled);
});

load('main.cjs');
