import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const LOADER = fileURLToPath(new URL('typescript-loader.mjs', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/laurel/', import.meta.url));
const FOLDER = join(CACHE, 'loader-test');
const PROGRAM = join(FOLDER, 'program.ts');

const program = (text: string): Promise<void> =>
  writeFile(PROGRAM, `const text: string = '${text}';\nconsole.log(text);\n`);

async function printed(): Promise<string> {
  const flags = ['--no-warnings', '--import', LOADER, PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { env: { ...process.env, NODE_OPTIONS: '' } });
  return stdout.trim();
}

/** The file in which the compiled program is kept. */
async function keptIn(text: string): Promise<string> {
  const folder = join(CACHE, 'transpiled');
  for (const name of await readdir(folder)) {
    const place = join(folder, name);
    if ((await readFile(place, 'utf8').catch(() => '')).includes(`'${text}'`)) return place;
  }
  throw new Error(`nothing is kept of ${text}`);
}

describe('the TypeScript loader', () => {
  beforeAll(() => mkdir(FOLDER, { recursive: true }));
  afterAll(() => rm(FOLDER, { recursive: true }));

  it('compiles a source once, and again when it has changed', async () => {
    await program('loader-test-one');
    expect(await printed()).toBe('loader-test-one');
    const place = await keptIn('loader-test-one');
    await writeFile(place, (await readFile(place, 'utf8')).replace('loader-test-one', 'loader-test-kept'));
    expect(await printed()).toBe('loader-test-kept');
    await program('loader-test-two');
    expect(await printed()).toBe('loader-test-two');
    expect(await keptIn('loader-test-two')).toBe(place);
    await rm(place);
  });
});
