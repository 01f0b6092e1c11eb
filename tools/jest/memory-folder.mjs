// Temporary files of the tests lie in memory where there is plenty of it. On ext4, making a file takes longer the more files were deleted nearby in
// the last minutes, and the tests make and delete hundreds of thousands: a database alone has five hundred.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Of memory, and of the file system in it: tests take up to two, and a database needs some to be ready. */
const LEAST_BYTES = 8 * 2 ** 30;
/** Whatever lies there for so long was left by a run that was killed. */
const LEFT_AFTER_MS = 24 * 3_600_000;

/**
 * @param mounts as `/proc/mounts`
 * @returns whether programs may be executed in the folder, and so much can be written
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

/** What a container may use counts, if that is less than the machine has. */
const availableBytes = () => Math.min(freemem(), process.constrainedMemory() || Infinity);

function isPresent() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const space = { fileSystemBytes: bavail * bsize, memoryBytes: availableBytes() };
    return isRoomy(readFileSync('/proc/mounts', 'utf8'), space);
  } catch {
    // Another operating system.
    return false;
  }
}

/** Removes what runs that were killed have left. @param folder of this user */
export function removeLeft(folder, now = Date.now()) {
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    const { mtimeMs = now } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > LEFT_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** For all processes of this run. TMPDIR of whoever starts it has precedence, and so has a data set that may not fit. */
export default function keepFilesInMemory() {
  if (process.env.TMPDIR || process.env.LAUREL_LARGE || !isPresent()) return;
  const folder = join(MEMORY, `laurel-tests-${process.getuid()}`);
  mkdirSync(folder, { recursive: true });
  // As /tmp is: the database of a root runs as another user.
  chmodSync(folder, 0o1777);
  removeLeft(folder);
  process.env.TMPDIR = folder;
}
