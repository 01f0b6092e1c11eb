import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOADER = './libs/testing/src/typescript-loader.mjs';

describe('the types of the client', () => {
  it('are those of the present document: else run `npm run generate`', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@laurel/source', '--import', LOADER, 'tools/generate-client.mjs', '--check'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'libs/api/client/src/generated/laurel-api.ts is what the document says\n',
      stderr: expect.any(String),
    });
  });
});
