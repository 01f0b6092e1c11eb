import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DataFolderInUseError } from './embedded-postgres-error.ts';
import { lockFolder } from './folder-lock.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'folder-lock-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lock = () => lockFolder(folder, join(folder, 'lock'));

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('the lock of a data folder', () => {
  it('is held by one process at a time', async () => {
    const first = await lock();
    await expect(lock()).rejects.toThrow(DataFolderInUseError);
    await first.release();
    await (await lock()).release();
  });

  it('is held until it is released, even if it is garbage collected', async () => {
    await lock();
    for (let round = 0; round < 3; round++) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect(lock()).rejects.toThrow(DataFolderInUseError);
  });
});
