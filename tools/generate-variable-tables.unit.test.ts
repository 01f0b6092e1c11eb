import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOADER = './libs/testing/src/typescript-loader.mjs';

describe('the tables of environment variables in the documents', () => {
  it('agree with the code, else run `npm run generate`', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--conditions=@laurel/source', '--import', LOADER, 'tools/generate-variable-tables.mjs', '--check'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    const documents = [
      'docs/guides/variables.md',
      'docs/guides/distributed-variables.md',
      'docs/guides/test-variables.md',
    ];
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: documents.map((name) => `${name} shows the present variables\n`).join(''),
    });
  });
});
