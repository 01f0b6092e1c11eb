import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from './testing/standalone-process.ts';

/** The code for the environment and folders, without packages: the whole service has 9 MB. */
const MOST_BYTES = 200_000;
/** The bundle, and the packages that are not in it; as modules of their own they are 3,000. */
const MOST_FILES = 500;

describe('the start of a service', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-start-up-'));
    await writeFile(join(folder, 'a-file'), '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    ['an invalid variable', { LAUREL_PORT: 'http' }, 'LAUREL_PORT must be a port'],
    ['a misspelled variable', { LAUREL_CONFG: 'laurel.yaml' }, 'did you mean LAUREL_CONFIG?'],
    ['a missing configuration file', { LAUREL_CONFIG: '/nowhere/laurel.yaml' }, 'cannot be read: ENOENT'],
    ['a data folder that is a file', { LAUREL_DATA_DIR: 'FOLDER/a-file' }, 'FOLDER/a-file is not a folder'],
    ['a port in use', { LAUREL_PORT: 'TAKEN' }, 'port TAKEN of 127.0.0.1 is in use; set LAUREL_PORT to another'],
  ])('loads no dependency before it refuses %s', async (_, variables, message) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const filledIn = (text: string): string => text.replace('FOLDER', folder).replace('TAKEN', String(port));
    const filled = Object.entries(variables).map(([name, value]) => [name, filledIn(value)]);
    const { files, said } = await startedWith({ LAUREL_DATA_DIR: folder, ...Object.fromEntries(filled) });
    taken.close();
    expect(said).toContain(filledIn(message));
    expect(files.filter((file) => file.includes('/node_modules/'))).toEqual([]);
    expect(files).toContainEqual(expect.stringContaining('apps/standalone/dist/main.js'));
    const sizes = await Promise.all(files.map(async (file) => (await stat(fileURLToPath(file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('loads at most the permitted number of files', async () => {
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    const { files, said } = await startedWith({ LAUREL_DATA_DIR: join(folder, 'data') });
    expect(said).toBe('it has started');
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
  });

  /** The files as the coverage of V8 lists them. */
  async function startedWith(variables: Record<string, string>): Promise<{ files: string[]; said: string }> {
    const coverage = join(folder, 'coverage');
    const said = await startProcess({ ...variables, NODE_V8_COVERAGE: coverage }).then(
      async (started) => {
        started.process.kill('SIGTERM');
        await started.ended;
        return 'it has started';
      },
      (error: Error) => error.message,
    );
    const [file] = (await readdir(coverage)).filter((name) => name.endsWith('-0.json'));
    const { result } = JSON.parse(await readFile(join(coverage, file ?? ''), 'utf8')) as Coverage;
    return { files: result.map(({ url }) => url).filter((url) => url.startsWith('file:')), said };
  }
});

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}
