// A service's dist/main.js: runs main.cjs beside it. V8 compiles those files once: what it compiled in a service that has ended in the
// ordinary way lies beside them, and every further start with the same Node and flags takes it from there. Node 20 does this for no module.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** What is smaller is compiled faster than it is read. */
const LEAST_CHARACTERS = 100_000;
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];
/** The checksums of the source and of the code, before the code. */
const HEADER_BYTES = 8;

const requirePackage = createRequire(import.meta.url);
const modules = new Map();
const compiledNow = new Map();

/** As `require` of a module: `resolve` and the others are those of a package. */
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

/** @returns {Buffer | undefined} undefined: none was stored for this source, or it is damaged */
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

/** Where nothing can be written, as in an image, each start compiles. */
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

// By then, whatever a start needs has been compiled; one that was refused has compiled little.
process.once('exit', (status) => {
  if (status === 0) for (const [place, compiled] of compiledNow) storeCode(place, compiled);
});

load('main.cjs');
