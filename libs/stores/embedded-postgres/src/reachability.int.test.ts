import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findObstacle } from './reachability.ts';

describe('what is in the way of a data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-obstacle-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is nothing where it can be made', async () => {
    expect(await findObstacle(join(folder, 'new', 'demo'))).toBeNull();
  });

  it.each([
    ['itself', 'round'],
    ['nothing', 'nowhere'],
  ])('is a link that leads to %s', async (_, target) => {
    const link = join(folder, 'round');
    await symlink(target, link);
    expect(await findObstacle(join(link, 'demo'))).toMatch(`${link} is not a folder. Set LAUREL_DATA_DIR to a folder`);
  });
});
