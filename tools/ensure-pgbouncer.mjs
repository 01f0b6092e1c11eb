// Provides PgBouncer for the tests with a connection pooler: node tools/ensure-pgbouncer.mjs
//
// If it is missing and apt-get is available, it downloads the package and its libraries and unpacks them below
// node_modules: an installed PgBouncer would run as a service of the machine. The exit code is 1 if there is none
// afterwards.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPgBouncer, FOLDER, HOW_TO_INSTALL } from './pgbouncer.mjs';

const PACKAGE = 'pgbouncer';
/** The libraries that the package depends on, except the C library, which every program has loaded already. */
const LIBRARY = /^ *Depends: (lib(?!c6)\S+)$/gm;

/** Without this option, apt-get run by root downloads under another account, which may not write below the checkout. */
const AS_CALLER = ['--option', 'APT::Sandbox::User=root'];

const run = (cwd, command, ...words) =>
  spawnSync(command, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;

function download(folder) {
  const { stdout } = spawnSync('apt-cache', ['depends', PACKAGE], { encoding: 'utf8' });
  const libraries = [...(stdout ?? '').matchAll(LIBRARY)].map(([, name]) => name);
  return libraries.length > 0 && run(folder, 'apt-get', '--quiet', ...AS_CALLER, 'download', PACKAGE, ...libraries);
}

/** Unpacks into a temporary folder first, so that the final folder never has only a part. */
function install() {
  mkdirSync(dirname(FOLDER), { recursive: true });
  const folder = mkdtempSync(`${FOLDER}-`);
  try {
    if (!download(folder) && !(run(folder, 'apt-get', '--quiet', 'update') && download(folder))) return;
    const unpacked = join(folder, 'unpacked');
    const packages = readdirSync(folder).filter((name) => name.endsWith('.deb'));
    if (!packages.every((name) => run(folder, 'dpkg-deb', '--extract', name, unpacked))) return;
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(unpacked, FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (findPgBouncer() === null) install();
const found = findPgBouncer();
console.log(found === null ? `There is no PgBouncer. ${HOW_TO_INSTALL}` : `PgBouncer is ${found.program}.`);
process.exitCode = found === null ? 1 : 0;
