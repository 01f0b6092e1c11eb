import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOADER = './libs/testing/src/typescript-loader.mjs';

describe('the tables of declared kinds in the documents', () => {
  it('show the declarations; otherwise run `npm run generate`', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--conditions=@laurel/source', '--import', LOADER, 'tools/generate-declared-tables.mjs', '--check'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    const documents = ['docs/guides/webhooks.md', 'docs/specification.md'];
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: documents.map((name) => `${name} shows the present declarations\n`).join(''),
    });
  });
});
