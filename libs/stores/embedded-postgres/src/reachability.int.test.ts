import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findObstacle } from './reachability.ts';

describe('findObstacle', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-obstacle-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('returns null if the folder can be created', async () => {
    expect(await findObstacle(join(folder, 'new', 'demo'))).toBeNull();
  });

  it.each([
    ['itself', 'round'],
    ['nothing', 'nowhere'],
  ])('names a link that leads to %s', async (_, target) => {
    const link = join(folder, 'round');
    await symlink(target, link);
    expect(await findObstacle(join(link, 'demo'))).toMatch(`${link} is not a folder. Set LAUREL_DATA_DIR to a folder`);
  });
});
