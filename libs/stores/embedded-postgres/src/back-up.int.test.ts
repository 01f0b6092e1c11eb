import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backUp, startEmbeddedPostgres, type EmbeddedPostgres } from './index.ts';
import type { Copied } from './back-up.ts';
import { newDataDir, removeDataDirs } from './test-support/data-dirs.ts';
import { query } from './test-support/query.ts';

let dataDir: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  dataDir = await newDataDir();
  server = await startEmbeddedPostgres({ dataDir, settings: new Map([['max_wal_size', '32MB']]) });
  await query(server.connection, 'create table entries (n int primary key, text text not null)');
  await query(server.connection, `insert into entries select n, repeat('x', 500) from generate_series(1, 20000) n`);
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

const back = (target: string, rest: object = {}) => backUp({ dataDir, connection: server.connection, target, ...rest });

async function rowsIn(target: string): Promise<number[]> {
  const restored = await startEmbeddedPostgres({ dataDir: target });
  try {
    return (await query<{ n: number }>(restored.connection, 'select n from entries order by n')).map(({ n }) =>
      Number(n),
    );
  } finally {
    await restored.stop();
  }
}

describe('a backup of a running server', () => {
  it('holds everything that was acknowledged before it ended', async () => {
    const target = await newDataDir();
    let last = 20_000;
    // What is written meanwhile is flushed behind files that are copied already, and the log that has it would be recycled.
    const onProgress = async ({ files }: Copied): Promise<void> => {
      if (files % 50 > 0) return;
      last += 1;
      await query(server.connection, `insert into entries values (${last}, repeat('y', 500))`);
      await query(server.connection, 'select pg_switch_wal()');
      await query(server.connection, 'checkpoint');
    };
    const backup = await back(target, { onProgress });
    expect(last).toBeGreaterThan(20_010);
    expect(backup).toMatchObject({ target, endLsn: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/) });
    const rows = await rowsIn(target);
    expect(rows).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(await query(server.connection, 'select slot_name from pg_replication_slots')).toEqual([]);
  });

  it('is written only to a folder that is absent or empty', async () => {
    const full = await newDataDir();
    await mkdir(full, { recursive: true });
    await writeFile(join(full, 'something'), '');
    await expect(back(full)).rejects.toThrow(`${full} is not empty`);
    await expect(back(join(full, 'something'))).rejects.toThrow('is a file');
    await expect(back(join(dataDir, 'inside'))).rejects.toThrow('lies in the data folder');
    const empty = await newDataDir();
    await mkdir(empty);
    await back(empty);
    expect((await rowsIn(empty)).length).toBeGreaterThanOrEqual(20_000);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const target = await newDataDir();
    const controller = new AbortController();
    const copying = back(target, { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(copying).rejects.toThrow('the backup was interrupted');
    const name = target.split('/').at(-1) ?? '';
    expect((await readdir(dirname(target))).filter((entry) => entry.startsWith(name))).toEqual([]);
  });
});
