import { open, writeFile } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;

/** Copies a file with its mode, and flushes it. Uses 1 MiB of memory. @returns its size in bytes */
export async function copyDurably(from: string, to: string): Promise<number> {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'w', (await source.stat()).mode & 0o777);
    try {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      let bytes = 0;
      for (;;) {
        const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES, bytes);
        if (bytesRead === 0) break;
        await target.write(chunk, 0, bytesRead, bytes);
        bytes += bytesRead;
      }
      await target.sync();
      return bytes;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

export const writeDurably = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { mode: 0o600, flush: true });

/** Flushes the names in a folder. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
