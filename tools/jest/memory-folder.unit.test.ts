import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { isRoomy, removeLeft } = await import(new URL('./memory-folder.mjs', import.meta.url).href);

const GIB = 2 ** 30;
const MOUNTS = `overlay / overlay rw 0 0
tmpfs /dev/shm tmpfs rw,nosuid,nodev,relatime,size=16g 0 0
`;

describe('the folder of the tests in memory', () => {
  it.each([
    ['there is plenty', MOUNTS, 8 * GIB, 8 * GIB, true],
    ['a container has a small one', MOUNTS, 64 * 2 ** 20, 8 * GIB, false],
    ['others need the memory', MOUNTS, 8 * GIB, 8 * GIB - 1, false],
    ['it may not hold programs', MOUNTS.replace('nodev', 'noexec'), 8 * GIB, 8 * GIB, false],
    ['it may only be read', MOUNTS.replace('rw,nosuid', 'ro,nosuid'), 8 * GIB, 8 * GIB, false],
    ['it is on a disk', MOUNTS.replace('/dev/shm', '/tmp'), 8 * GIB, 8 * GIB, false],
  ])('is taken only where there is room: %s', (_, mounts, fileSystemBytes, memoryBytes, isTaken) => {
    expect(isRoomy(mounts, { fileSystemBytes, memoryBytes })).toBe(isTaken);
  });

  it('loses what a killed run has left a day ago, and nothing of a run beside this one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-memory-'));
    for (const name of ['old', 'new']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'file'), '');
    }
    await utimes(join(folder, 'old'), new Date(), new Date(Date.now() - 25 * 3_600_000));
    removeLeft(folder);
    expect(await readdir(folder)).toEqual(['new']);
    await rm(folder, { recursive: true });
  });
});
