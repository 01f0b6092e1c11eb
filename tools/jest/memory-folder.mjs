// Keeps temporary files of tests in memory if enough is free. On ext4, creating a file takes longer the more files were
// deleted nearby in the last minutes, and the tests create and delete hundreds of thousands: a single database has five
// hundred.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/**
 * Required of the free memory and of the file system in memory: tests use up to two GiB, and a database needs some
 * more.
 */
const LEAST_BYTES = 8 * 2 ** 30;
/** Files of this age were left by a run that was killed. */
const LEFT_AFTER_MS = 24 * 3_600_000;

/**
 * @param mounts the content of `/proc/mounts`
 * @returns whether programs may be executed in the folder, and enough can be written to it
 */
export function isRoomy(mounts, { fileSystemBytes, memoryBytes }) {
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, folder, type]) => folder === MEMORY && type === 'tmpfs')?.[3]
    ?.split(',');
  const isWritable = options !== undefined && options.includes('rw') && !options.includes('noexec');
  return isWritable && fileSystemBytes >= LEAST_BYTES && memoryBytes >= LEAST_BYTES;
}

/** Free memory, or the limit of the container if that is lower. */
const availableBytes = () => Math.min(freemem(), process.constrainedMemory() || Infinity);

function isPresent() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const space = { fileSystemBytes: bavail * bsize, memoryBytes: availableBytes() };
    return isRoomy(readFileSync('/proc/mounts', 'utf8'), space);
  } catch {
    // Other operating systems have no such file system.
    return false;
  }
}

/**
 * Removes the files that killed runs have left.
 *
 * @param folder of this user
 */
export function removeLeft(folder, now = Date.now()) {
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    const { mtimeMs = now } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > LEFT_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Sets TMPDIR for all processes of this run. A TMPDIR that is set already stays, and a large data set, which may not
 * fit, stays on disk.
 */
export default function keepFilesInMemory() {
  if (process.env.TMPDIR || process.env.LAUREL_LARGE || !isPresent()) return;
  const folder = join(MEMORY, `laurel-tests-${process.getuid()}`);
  mkdirSync(folder, { recursive: true });
  // The same permissions as /tmp: if root runs the tests, the database runs under another account.
  chmodSync(folder, 0o1777);
  removeLeft(folder);
  process.env.TMPDIR = folder;
}
