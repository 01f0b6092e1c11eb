import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('./check-types.mjs', import.meta.url));

/** Stands for tsc: prints its options; finds errors in what the file `broken` names. */
const COMPILER = `
import { existsSync, readFileSync } from 'node:fs';
const options = process.argv.slice(2).join(' ');
console.log('tsc ' + options);
if (existsSync('broken') && options === readFileSync('broken', 'utf8')) process.exit(2);
`;

describe('check-types', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'check-types-'));
    mkdirSync(join(folder, 'tools/compiler'), { recursive: true });
    writeFileSync(join(folder, 'tools/compiler/tsc.mjs'), COMPILER);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = () => spawnSync(process.execPath, [COMMAND], { cwd: folder, encoding: 'utf8' });

  it('names each part before it checks it', () => {
    const { status, stdout, stderr } = check();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.replace(/\d+ s/, 'N s')).toBe(
      [
        'Checking the types of all projects ...\ntsc -b\n',
        "Checking the types of the pure code without Node's types ...\ntsc -p tsconfig.pure.json\n",
        'Checking the types of the tests ...\ntsc -p tsconfig.test.json\n',
        'Types checked in N s.\n',
      ].join(''),
    );
  });

  it('stops at the first part with errors with the exit code of the compiler', () => {
    writeFileSync(join(folder, 'broken'), '-p tsconfig.pure.json');
    const { status, stdout } = check();
    expect(status).toBe(2);
    expect(stdout).not.toContain('the tests');
    expect(stdout).not.toContain('Types checked');
  });
});
