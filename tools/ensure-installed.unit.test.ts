import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('./ensure-installed.mjs', import.meta.url));

/** Stands for npm: writes down what it was called with, and what npm records; fails if there is a file `offline`. */
const NPM = `#!/bin/sh
echo "$*" >> runs
test ! -e offline || exit 7
mkdir -p node_modules
case "$*" in
  *--include=dev*) echo '{ "packages": { "node_modules/jest": { "dev": true } } }' ;;
  *) echo '{ "packages": { "node_modules/pg": {} } }' ;;
esac > node_modules/.package-lock.json
`;

describe('ensure-installed', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ensure-installed-'));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/npm'), NPM);
    chmodSync(join(folder, 'bin/npm'), 0o755);
    changeLock(new Date(2020, 0));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function changeLock(at: Date): void {
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    utimesSync(join(folder, 'package-lock.json'), at, at);
  }

  /** What npm was called with, without the flags that every call has. */
  function callsOf(...args: string[]): string[] {
    rmSync(join(folder, 'runs'), { force: true });
    const PATH = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
    const result = spawnSync(process.execPath, [COMMAND, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH },
    });
    said = result.stderr;
    expect(result.stdout).toBe('');
    status = result.status;
    if (!existsSync(join(folder, 'runs'))) return [];
    return readFileSync(join(folder, 'runs'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/ --prefer-offline.*/, ''));
  }
  let said: string;
  let status: number | null;

  it('installs what running needs, once per lock file', () => {
    expect(callsOf()).toEqual(['ci --omit=dev']);
    expect(said).toMatch(/^Installing what running needs \(npm ci --omit=dev\) \.\.\.\nInstalled in \d+ s\.\n$/);
    expect(callsOf()).toEqual([]);
    expect(said).toBe('');
  });

  it('adds what tests need without removing what a running service reads', () => {
    callsOf();
    expect(callsOf('--all')).toEqual(['install --no-save --include=dev']);
    expect(said).toContain('Installing what tests and tools need as well');
    expect(callsOf('--all')).toEqual([]);
  });

  it('installs everything at once when nothing is installed', () => {
    expect(callsOf('--all')).toEqual(['ci --include=dev']);
    expect(callsOf('--all')).toEqual([]);
  });

  it('keeps a full installation full, also when the lock file is newer', () => {
    callsOf('--all');
    expect(callsOf()).toEqual([]);
    changeLock(new Date(Date.now() + 60_000));
    expect(callsOf()).toEqual(['ci --include=dev']);
  });

  it('installs again when the lock file is newer', () => {
    callsOf();
    changeLock(new Date(Date.now() + 60_000));
    expect(callsOf()).toEqual(['ci --omit=dev']);
  });

  it('exits with the code of npm when npm fails', () => {
    writeFileSync(join(folder, 'offline'), '');
    expect(callsOf()).toEqual(['ci --omit=dev']);
    expect([status, said]).toEqual([7, 'Installing what running needs (npm ci --omit=dev) ...\n']);
  });
});
