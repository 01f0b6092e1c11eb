// Runs tests on another version of Postgres than the embedded one:
// node tools/check-postgres.mjs --bin /usr/lib/postgresql/15/bin [TEST_PATH...]
//
// Without paths: every test that needs a database. The server is made in a temporary folder and ends with the run. As root it runs
// under the account `nobody`, because Postgres refuses to run as root.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, start, stop, waitUntil } from './processes.mjs';

const LEVELS = [
  '\\.db\\.test',
  '\\.contract\\.test',
  '\\.http\\.test',
  'apps/standalone/.*\\.int\\.test',
  // This test runs the client programs of the tested version.
  'own-postgres\\.process\\.test',
];
const PASSWORD = 'check-postgres';

const { values, positionals } = parseArgs({ options: { bin: { type: 'string' } }, allowPositionals: true });
if (!values.bin) {
  console.error('usage: tools/check-postgres.mjs --bin DIR [TEST_PATH...]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'check-postgres-'));
chmodSync(folder, 0o755);
const account = process.geteuid() === 0 ? accountOf('nobody') : {};
const data = join(folder, 'data');
const passwordFile = join(folder, 'password');
mkdirSync(data, { mode: 0o700 });
writeFileSync(passwordFile, PASSWORD);
if (account.uid !== undefined) chownSync(data, account.uid, account.gid);
const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...account };

let server;
try {
  const words = [
    '-D',
    data,
    '-U',
    'laurel',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
  ];
  const { status, stderr } = spawnSync(join(values.bin, 'initdb'), words, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb: ${stderr}`);
  const port = await freePort();
  const settings = ['-D', data, '-p', String(port), '-k', data, '-h', '127.0.0.1', '-c', 'max_connections=200'];
  const log = join(folder, 'log');
  server = start('postgres', join(values.bin, 'postgres'), settings, { ...options, log });
  const isReady = () => spawnSync(join(values.bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0;
  await waitUntil(isReady, 'it let clients in', { limitMs: 60_000, program: server });
  console.log(spawnSync(join(values.bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim());
  // The tests connect by a Unix socket. Tests that cut connections put a proxy in between, which connects to the
  // socket.
  process.exitCode = runTests(
    `postgres://laurel:${PASSWORD}@localhost:${port}/postgres?host=${encodeURIComponent(data)}`,
  );
} finally {
  if (server !== undefined && !server.hasEnded()) await stop(server, { limitMs: 60_000 });
  rmSync(folder, { recursive: true, force: true });
}

function runTests(url) {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const env = { ...process.env, LAUREL_TEST_DATABASE_URL: url, PATH: `${values.bin}:${process.env.PATH}` };
  const paths = positionals.length > 0 ? positionals : LEVELS;
  return spawnSync(process.execPath, [...jest, ...paths], { stdio: 'inherit', env }).status ?? 1;
}

function accountOf(name) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`there is no account ${name}`);
  const [, , uid, gid] = line.split(':').map(Number);
  return { uid, gid };
}
