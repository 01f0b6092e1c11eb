import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SourceTextModule } from 'node:vm';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** One process runs the files of that name. */
function run(name: string) {
  const jest = [
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--runInBand',
    '--silent',
  ];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...jest, '--testMatch', `<rootDir>/tools/jest/isolation/${name}`],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return { status, stderr };
}

describe('test files in one process', () => {
  it('do not see what another file has changed', () => {
    const { status, stderr } = run('{one,other}.isolation.ts');
    expect(stderr).toContain('Tests:       12 passed, 12 total');
    expect(status).toBe(0);
  });

  it('share one copy of the sources of libraries, with their schemas and entities', () => {
    const { status, stderr } = run('{one,other}.sources.ts');
    expect(stderr).toContain('Tests:       6 passed, 6 total');
    // With Node 24 they have a copy each: see shared-sources.mjs.
    const isShared = typeof SourceTextModule.prototype['hasAsyncGraph' as never] !== 'function';
    expect(stderr.match(/file \d with this copy/g)).toEqual(
      [1, isShared ? 2 : 1].map((n) => `file ${n} with this copy`),
    );
    expect(status).toBe(0);
  });

  it('fail beside others as they fail alone', () => {
    const { status, stderr } = run('{one,other,fault}.isolation.ts');
    expect(stderr).toContain('Tests:       1 failed, 12 passed, 13 total');
    expect(status).toBe(1);
  });
});
