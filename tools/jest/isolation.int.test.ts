import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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
  it('do not see what another one has changed', () => {
    const { status, stderr } = run('{one,other}.isolation.ts');
    expect(stderr).toContain('Tests:       12 passed, 12 total');
    expect(status).toBe(0);
  });

  it('fail beside others as they fail alone', () => {
    const { status, stderr } = run('{one,other,fault}.isolation.ts');
    expect(stderr).toContain('Tests:       1 failed, 12 passed, 13 total');
    expect(status).toBe(1);
  });
});
