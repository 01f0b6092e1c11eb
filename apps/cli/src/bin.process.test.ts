import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

describe('the bin of the command line', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'laurel-bin-'));
    const { bin } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { bin: { laurel: string } };
    file = join(folder, bin.laurel);
    cpSync(join(PACKAGE, bin.laurel), file);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** As a shell does: the file itself, by its first line and its mode. */
  const run = (...words: string[]) => spawnSync(file, words, { encoding: 'utf8' });

  it('runs what was built', () => {
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/main.js'), 'console.log(process.argv.slice(2).join()); process.exitCode = 1;');
    expect(run('status', '--json')).toMatchObject({ status: 1, stdout: 'status,--json\n', stderr: '' });
  });

  it('says what to do before anything was built', () => {
    expect(run('status')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'laurel: not built completely; run: npm ci && npm run build\n',
    });
  });
});
