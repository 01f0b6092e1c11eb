// Installs packages if they are missing or older than the lock file, so that one command works in a fresh clone: the
// packages for running or, with --all, those for tests and tools too. Plain JavaScript without dependencies, because it
// runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** The list of installed packages, which npm writes last. */
const INSTALLED = 'node_modules/.package-lock.json';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Laurel needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isPresent = modifiedAt(INSTALLED) > 0;
const isCurrent = modifiedAt(INSTALLED) >= modifiedAt('package-lock.json') && isPresent;
const hasAll = isPresent && readFileSync(INSTALLED, 'utf8').includes('"dev": true');
// If the packages for tests and tools are installed, they stay so.
const all = process.argv.includes('--all') || hasAll;

// `npm ci` begins by removing everything, which a running service may still read. So missing packages are added if
// possible.
if (isCurrent && all && !hasAll) install('tests and tools need as well', ['install', '--no-save', '--include=dev']);
else if (!isCurrent && all) install('running, tests and tools need', ['ci', '--include=dev']);
else if (!isCurrent) install('running needs', ['ci', '--omit=dev']);

function install(what, command) {
  const startedAt = performance.now();
  // Written to standard error, because the output of a command line is often redirected into files.
  console.error(`Installing what ${what} (npm ${command.join(' ')}) ...`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, [...command, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['inherit', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  console.error(`Installed in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
}
