import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DEMO_CONFIGURATION } from '@laurel/configuration';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LOADER = fileURLToPath(new URL('../../../libs/testing/src/typescript-loader.mjs', import.meta.url));
const run = promisify(execFile);

const SOURCES = ['--no-warnings', '--conditions=@laurel/source', '--import', LOADER];
const EXAMPLES: readonly (readonly [string, string, readonly string[]])[] = [
  ['TypeScript', process.execPath, [...SOURCES, 'examples/typescript/record-event.ts']],
  ['Python', 'python3', ['examples/python/record_event.py']],
];

describe.each(EXAMPLES)('the example in %s', (_language, program, words) => {
  let served: Served;

  beforeAll(async () => {
    served = await serveOnFreshDatabase(DEMO_CONFIGURATION);
  });
  afterAll(async () => {
    await served?.close();
  });

  const example = (apiKey: string) => {
    const env = { ...process.env, NODE_OPTIONS: '', PYTHONIOENCODING: 'utf-8' };
    return run(program, words, { cwd: ROOT, env: { ...env, LAUREL_URL: served.baseUrl, LAUREL_API_KEY: apiKey } });
  };

  it('prints the effects of an event, and a second run counts nothing again', async () => {
    const first = (await example(served.apiKey)).stdout.trim().split('\n');
    expect(first).toEqual(['lessons: 1', 'achievement: First lesson', 'xp: 10 → 10', 'energy: 4 → 4', 'streak: 1']);
    const again = (await example(served.apiKey)).stdout.trim().split('\n');
    expect(again).toEqual(['lessons: 1', 'xp: 0 → 10', 'energy: 0 → 4', 'streak: 1']);
  });

  it('prints why a request is refused', async () => {
    await expect(example('another key of 24 characters')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^[a-z_]+: .*key/),
    });
  });
});
