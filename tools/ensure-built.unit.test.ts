import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('./ensure-built.mjs', import.meta.url));

/** Stands for tsc: writes down that it ran, and what it would build; fails if there is a file `broken`. */
const COMPILER = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('runs', process.argv.slice(2).join(' ') + '\\n');
if (existsSync('broken')) process.exit(2);
mkdirSync('libs/domain/points/dist', { recursive: true });
writeFileSync('libs/domain/points/dist/index.js', '');
mkdirSync('apps/cli/dist', { recursive: true });
if (existsSync('libs/domain/points/src/more.ts')) writeFileSync('libs/domain/points/dist/more.js', '');
`;

/** Stands for the build of the console, which a process serves. */
const CONSOLE_BUILD = `
import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('libs/domain/points/dist/web', { recursive: true });
writeFileSync('libs/domain/points/dist/web/manifest.json', '{}');
`;

/** Stands for the bundles of the services. */
const SERVICES_BUILD = `
import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('apps/cli/dist', { recursive: true });
writeFileSync('apps/cli/dist/main.js', '');
`;

/** Whole seconds, which a copy keeps. */
const WRITTEN = new Date('2026-01-01T00:00:00Z');

describe('ensure-built', () => {
  let folder: string;
  let built: string;
  beforeAll(() => {
    built = folder = mkdtempSync(join(tmpdir(), 'ensure-built-'));
    write('tools/compiler/tsc.mjs', COMPILER);
    for (const path of INPUTS) write(path, '{}');
    write('libs/api/console/package.json', '{ "name": "@laurel/console" }');
    write('tools/build-console.mjs', CONSOLE_BUILD);
    write('tools/build-services.mjs', SERVICES_BUILD);
    write('apps/cli/tsconfig.json', '{ "references": [{ "path": "../../libs/domain/points" }] }');
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      utimesSync(join(folder, path), WRITTEN, WRITTEN);
    build();
  });
  /** A copy of what was built once. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ensure-built-'));
    cpSync(built, folder, { recursive: true, preserveTimestamps: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  afterAll(() => rmSync(built, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const build = () => spawnSync(process.execPath, [COMMAND], { cwd: folder, encoding: 'utf8' });
  const runs = (): number => readFileSync(join(folder, 'runs'), 'utf8').split('\n').length - 1;

  it('builds at first, and not again while nothing changes', () => {
    expect(runs()).toBe(1);
    expect(build()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(runs()).toBe(1);
  });

  it('builds once when several commands need it at once, and continues where one was killed', async () => {
    appendFileSync(join(folder, 'libs/domain/points/src/index.ts'), ' ');
    write('node_modules/.cache/laurel/building', '2147483647');
    const commands = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [COMMAND], { cwd: folder, stdio: 'ignore' }),
    );
    const codes = await Promise.all(commands.map(async (command) => (await once(command, 'exit'))[0] as number));
    expect([codes, runs()]).toEqual([[0, 0, 0, 0], 2]);
    expect(existsSync(join(folder, 'node_modules/.cache/laurel/building'))).toBe(false);
  });

  it.each([
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.base.json',
    'libs/domain/points/package.json',
    'libs/domain/points/tsconfig.json',
    'libs/domain/points/src/index.ts',
    'apps/cli/tsconfig.json',
    'libs/api/console/index.html',
    'libs/api/console/src/main.tsx',
    'tools/build-console.mjs',
    'tools/build-services.mjs',
    'tools/compiler/launch-service.mjs',
    'tools/client-types/types-of.mjs',
  ])('builds after a change of %s', (path) => {
    appendFileSync(join(folder, path), ' ');
    const { status, stdout, stderr } = build();
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^Building \.\.\.\nBuilt in \d+ s\.\n$/);
    expect(runs()).toBe(2);
  });

  it('builds after a source was added or removed', () => {
    write('libs/domain/points/src/more.ts', '');
    build();
    rmSync(join(folder, 'libs/domain/points/src/more.ts'));
    build();
    expect(runs()).toBe(3);
  });

  it('builds when output is missing, and deletes the stale record of the compiler', () => {
    write('libs/domain/points/tsconfig.tsbuildinfo', '{}');
    rmSync(join(folder, 'libs/domain/points/dist'), { recursive: true });
    build();
    expect(runs()).toBe(2);
    expect(existsSync(join(folder, 'libs/domain/points/dist/index.js'))).toBe(true);
    expect(existsSync(join(folder, 'libs/domain/points/tsconfig.tsbuildinfo'))).toBe(false);
  });

  it.each([
    ['the console', 'libs/domain/points/dist/web/manifest.json'],
    ['a service', 'apps/cli/dist/main.js'],
  ])('builds %s again when its bundle is missing', (_, path) => {
    const bundled = join(folder, path);
    rmSync(bundled);
    build();
    expect([existsSync(bundled), runs()]).toEqual([true, 2]);
  });

  it('builds when a single output file is missing', () => {
    rmSync(join(folder, 'libs/domain/points/dist/index.js'));
    build();
    expect(runs()).toBe(2);
  });

  it('builds when the record of the last build is truncated', () => {
    write('node_modules/.cache/laurel/built', '{"from":"c89');
    expect(build().status).toBe(0);
    expect(runs()).toBe(2);
  });

  it('builds the apps and their references, but not what only tests use', () => {
    write('libs/testing/tsconfig.json', '{}');
    write('libs/testing/src/index.ts', '');
    expect(build()).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe(`-b ${join('apps', 'cli')}\n`);
  });

  it('builds nothing for a changed test', () => {
    write('libs/domain/points/src/index.unit.test.ts', '');
    build();
    expect(runs()).toBe(1);
  });

  it('builds nothing for a source that the build generated', () => {
    write('libs/domain/points/src/generated/index.ts', '');
    build();
    expect(runs()).toBe(1);
  });

  it('exits with the code of a failed build, and tries again at the next call', () => {
    write('broken', '');
    appendFileSync(join(folder, 'libs/domain/points/src/index.ts'), ' ');
    expect(build().status).toBe(2);
    rmSync(join(folder, 'broken'));
    expect(build().status).toBe(0);
    expect(runs()).toBe(3);
  });
});

const INPUTS = [
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json'],
  ...['libs/domain/points/package.json', 'libs/domain/points/tsconfig.json', 'libs/domain/points/src/index.ts'],
  ...['apps/cli/package.json', 'libs/api/console/index.html', 'libs/api/console/src/main.tsx'],
  'tools/client-types/types-of.mjs',
];
