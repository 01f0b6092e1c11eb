import { statfs } from 'node:fs/promises';

/** As Postgres and Node put it: a full disk, a quota that is used up, a limit on the size of files. */
const MESSAGES = /no space left on device|disk quota exceeded|file too large/i;
/** A server that recovers needs a segment of WAL (16 MB) and room for a checkpoint. */
const ENOUGH_BYTES = 64 * 1024 * 1024;

/**
 * Whether a server could not start in `folder` because its disk is full. The server's log lies on the same disk and may lack the
 * message, so a disk with little left counts too. Never rejects: of a folder that is gone it is not known.
 */
export async function isOutOfSpace(error: unknown, folder: string): Promise<boolean> {
  if (error instanceof Error && MESSAGES.test(error.message)) return true;
  const space = await statfs(folder).catch(() => null);
  return space !== null && space.bavail * space.bsize < ENOUGH_BYTES;
}
