import { statfs } from 'node:fs/promises';
import { dataFolderAt } from './data-folder.ts';

/**
 * The space of the file system with the database of a data folder, in bytes; `freeBytes` is available to accounts other than root.
 * @throws the system's error if there is no database
 */
export async function fileSystemSpace(
  dataDir: string,
): Promise<{ readonly freeBytes: number; readonly totalBytes: number }> {
  const { pgData } = await dataFolderAt(dataDir);
  const { bavail, blocks, bsize } = await statfs(pgData);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
