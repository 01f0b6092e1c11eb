import { statfs } from 'node:fs/promises';

/** The messages of Postgres and Node for a full disk, an exhausted quota, and a file size limit. */
const MESSAGES = /no space left on device|disk quota exceeded|file too large/i;
/** Recovery needs a segment of WAL (16 MB) and room for a checkpoint. */
const ENOUGH_BYTES = 64 * 1024 * 1024;

/**
 * Whether a server could not start in `folder` because its disk is full. The server's log is on the same disk and may lack the message, so
 * little free space counts too. Never rejects; false if the folder is gone.
 */
export async function isOutOfSpace(error: unknown, folder: string): Promise<boolean> {
  if (error instanceof Error && MESSAGES.test(error.message)) return true;
  const space = await statfs(folder).catch(() => null);
  return space !== null && space.bavail * space.bsize < ENOUGH_BYTES;
}
