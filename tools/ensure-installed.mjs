// Runs `npm ci` when node_modules is missing or older than the lock file, so that one command works on a fresh clone.
// Plain JavaScript without dependencies: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Laurel needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json')) {
  // On the standard error: the output of a command line goes into files.
  console.error('Installing packages (npm ci), about half a minute ...');
  const startedAt = performance.now();
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['inherit', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  console.error(`Installed in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
}
