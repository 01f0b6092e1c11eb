import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { write } from 'node:fs';
import { promisify } from 'node:util';
import { openServerLog, rotateWhenLarge } from './server-log.ts';
import { newDataDir, removeDataDirs } from './test-support/data-dirs.ts';

const writeTo = promisify(write) as unknown as (fd: number, text: string) => Promise<number>;

async function newLogPath(): Promise<string> {
  const folder = await newDataDir();
  await mkdir(folder);
  return join(folder, 'postgres.log');
}

afterAll(removeDataDirs);

describe('the log of the server', () => {
  it('shows the last lines of the current start only', async () => {
    const path = await newLogPath();
    await writeFile(path, 'of an earlier start\n');
    const log = await openServerLog(path);
    await writeTo(log.fd, 'first\nsecond\n');
    expect(await log.tail()).toBe('first\nsecond');
    await log.close();
    expect(await readFile(path, 'utf8')).toBe('of an earlier start\nfirst\nsecond\n');
  });

  it('is bounded: the older half is moved away while the server keeps writing', async () => {
    const path = await newLogPath();
    const log = await openServerLog(path);
    await writeTo(log.fd, 'x'.repeat(2_000));
    await rotateWhenLarge(path, 2_000);
    expect((await stat(path)).size).toBe(2_000);
    await writeTo(log.fd, '\n');
    await rotateWhenLarge(path, 2_000);
    await writeTo(log.fd, 'after\n');
    expect(await readFile(path, 'utf8')).toBe('after\n');
    expect((await stat(`${path}.1`)).size).toBe(2_001);
    expect(await log.tail()).toBe('after');
    await log.close();
  });

  it('begins a new file if the previous one is too large', async () => {
    const path = await newLogPath();
    await writeFile(path, Buffer.alloc(9 * 1024 * 1024, 'x'));
    const log = await openServerLog(path);
    await appendFile(path, 'new\n');
    expect(await log.tail()).toBe('new');
    expect((await stat(path)).size).toBe(4);
    await log.close();
  });
});
