import { spawnSync } from 'node:child_process';

const ASSERTS_A_LAW = String.raw`fc\.assert(\|assertCovering(`;

/** The test files that contain laws over random inputs, as paths from the root of the repository. */
export function lawFiles() {
  const { status, stdout, stderr } = spawnSync(
    'git',
    ['grep', '-l', '--untracked', '-e', ASSERTS_A_LAW, '--', '*.test.ts'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`git grep does not answer: ${stderr}`);
  return stdout.trim().split('\n');
}
