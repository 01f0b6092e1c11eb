import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOADER = './libs/testing/src/typescript-loader.mjs';

describe('the table of the types of outcomes in the guide', () => {
  it('is that of the declarations: else run `npm run generate`', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--conditions=@laurel/source', '--import', LOADER, 'tools/generate-outcome-tables.mjs', '--check'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'docs/guides/webhooks.md shows the present outcomes\n' });
  });
});
