import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { isRoomy, removeLeft } = await import(new URL('./memory-folder.mjs', import.meta.url).href);

const GIB = 2 ** 30;
const MOUNTS = `overlay / overlay rw 0 0
tmpfs /dev/shm tmpfs rw,nosuid,nodev,relatime,size=16g 0 0
`;

describe('the in-memory folder of the tests', () => {
  it.each([
    ['there is plenty', MOUNTS, 8 * GIB, 8 * GIB, true],
    ['the file system is small', MOUNTS, 64 * 2 ** 20, 8 * GIB, false],
    ['little memory is free', MOUNTS, 8 * GIB, 8 * GIB - 1, false],
    ['it is mounted noexec', MOUNTS.replace('nodev', 'noexec'), 8 * GIB, 8 * GIB, false],
    ['it is read-only', MOUNTS.replace('rw,nosuid', 'ro,nosuid'), 8 * GIB, 8 * GIB, false],
    ['it is on a disk', MOUNTS.replace('/dev/shm', '/tmp'), 8 * GIB, 8 * GIB, false],
  ])('is used only when there is room: %s', (_, mounts, fileSystemBytes, memoryBytes, isTaken) => {
    expect(isRoomy(mounts, { fileSystemBytes, memoryBytes })).toBe(isTaken);
  });

  it('loses day-old remains of killed runs, but nothing of a parallel run', async () => {
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
