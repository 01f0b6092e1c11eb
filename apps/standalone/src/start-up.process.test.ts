import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from './testing/standalone-process.ts';

/** Our own files alone, those of the environment and of folders. */
const MOST_FILES = 30;

describe('what a service has loaded when it refuses to start', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-start-up-'));
    await writeFile(join(folder, 'a-file'), '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    ['a variable that is wrong', { LAUREL_PORT: 'http' }, 'LAUREL_PORT must be a port'],
    ['a variable misspelled', { LAUREL_CONFG: 'laurel.yaml' }, 'did you mean LAUREL_CONFIG?'],
    ['a configuration that is not there', { LAUREL_CONFIG: '/nowhere/laurel.yaml' }, 'cannot be read: ENOENT'],
    ['a data folder that is a file', { LAUREL_DATA_DIR: 'FOLDER/a-file' }, 'FOLDER/a-file is not a folder'],
    ['a port in use', { LAUREL_PORT: 'TAKEN' }, 'port TAKEN of 127.0.0.1 is in use; set LAUREL_PORT to another'],
  ])('is little for %s', async (_, variables, message) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const filledIn = (text: string): string => text.replace('FOLDER', folder).replace('TAKEN', String(port));
    const filled = Object.entries(variables).map(([name, value]) => [name, filledIn(value)]);
    const { files, said } = await refusedWith({ LAUREL_DATA_DIR: folder, ...Object.fromEntries(filled) });
    taken.close();
    expect(said).toContain(filledIn(message));
    expect(files.filter((file) => file.includes('/node_modules/'))).toEqual([]);
    expect(files).toContainEqual(expect.stringContaining('apps/standalone/src/main.ts'));
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
  });

  /** The files as the coverage of V8 lists them, without those of the loader's thread. */
  async function refusedWith(variables: Record<string, string>): Promise<{ files: string[]; said: string }> {
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
