import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { useUpWal } from './full-disk.ts';
import { startOwnServer } from './own-server.ts';
import { openSmallDisk, type SmallDiskOptions } from './small-disk.ts';

const IS_ROOT = process.geteuid?.() === 0;
const FORMS: readonly (readonly [NonNullable<SmallDiskOptions['by']>, string])[] = [
  ...(IS_ROOT ? [['file system', 'No space left on device'] as const] : []),
  ['file size limit', 'File too large'],
];

it.each(FORMS)(
  'a disk made small by a %s stops Postgres, which starts again once there is space',
  async (by, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'laurel-faults-'));
    chmodSync(folder, 0o755);
    const disk = openSmallDisk(join(folder, 'postgres'), { megabytes: 300, writers: () => [server.pid], by });
    const server = await startOwnServer(disk.folder);
    try {
      disk.fill();
      await useUpWal(server.connection);
      disk.free();
      while (!(await accepts(server.connection))) await new Promise((resolve) => setTimeout(resolve, 100));
      expect(readFileSync(join(disk.folder, 'postgres.log'), 'utf8')).toMatch(new RegExp(`PANIC: .*${reason}`));
    } finally {
      disk.free();
      await server.stop();
      disk.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

async function accepts(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
