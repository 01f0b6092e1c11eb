import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSystemSpace } from './file-system-space.ts';

const SHARED_MEMORY = '/dev/shm';
const MUCH = 256 * 1024 ** 2;

const df = (folder: string, column: string): number =>
  Number(execFileSync('df', ['--block-size=1', `--output=${column}`, folder], { encoding: 'utf8' }).split('\n')[1]);
const isLinux = process.platform === 'linux';

describe('fileSystemSpace', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-space-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  (isLinux ? it : it.skip)("returns what df reports for the database's file system, even behind a link", async () => {
    await mkdir(join(folder, 'here', 'postgres'), { recursive: true });
    await mkdir(join(folder, 'there'));
    await symlink(SHARED_MEMORY, join(folder, 'there', 'postgres'));
    for (const [dataDir, where] of [
      [join(folder, 'here'), folder],
      [join(folder, 'there'), SHARED_MEMORY],
    ] as const) {
      const { freeBytes, totalBytes } = await fileSystemSpace(dataDir);
      expect(totalBytes).toBe(df(where, 'size'));
      // Other programs write meanwhile.
      expect(Math.abs(freeBytes - df(where, 'avail'))).toBeLessThan(MUCH);
    }
  });

  it('rejects for a folder without a database', async () => {
    await expect(fileSystemSpace(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
