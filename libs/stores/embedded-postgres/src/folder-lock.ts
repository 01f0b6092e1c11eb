import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { DataFolderInUseError, EmbeddedPostgresError, isErrno } from './embedded-postgres-error.ts';
import { runProgram } from './run-program.ts';

/** A lock that the kernel releases when its holder dies in any way. */
export interface FolderLock {
  release(): Promise<void>;
}

/** Keeps the handles of held locks: garbage collection would close the descriptor and release the lock. */
const lockFiles = new Set<FileHandle>();

/** Makes open(2) on macOS take an exclusive flock(2). */
const O_EXLOCK = 0x20;

/**
 * Locks the folder for this process. The lock file remains after the release.
 *
 * @throws DataFolderInUseError if a living process (this one included) holds the lock
 */
export async function lockFolder(dataDir: string, lockFile: string): Promise<FolderLock> {
  const file =
    process.platform === 'darwin' ? await openLocked(dataDir, lockFile) : await open(lockFile, flags(), 0o600);
  try {
    const name = process.platform === 'linux' ? await lockOnLinux(file, dataDir) : null;
    await file.truncate(0);
    await file.write(`${process.pid}\n`, 0);
    lockFiles.add(file);
    return { release: () => release(file, name) };
  } catch (error) {
    const holderPid = await readHolder(file);
    await file.close();
    throw error === HELD ? new DataFolderInUseError(dataDir, holderPid) : error;
  }
}

const HELD = new Error('the lock is held');
const flags = (): number => constants.O_RDWR | constants.O_CREAT;

async function openLocked(dataDir: string, lockFile: string): Promise<FileHandle> {
  try {
    return await open(lockFile, flags() | O_EXLOCK | constants.O_NONBLOCK, 0o600);
  } catch (error) {
    if (!isErrno(error, 'EAGAIN', 'EWOULDBLOCK')) throw error;
    const reader = await open(lockFile, constants.O_RDONLY);
    const holderPid = await readHolder(reader);
    await reader.close();
    throw new DataFolderInUseError(dataDir, holderPid);
  }
}

/**
 * A lock of flock(2) belongs to the open file, not to a process, so flock(1) can lock an inherited descriptor. Without flock(1), an abstract
 * socket named after the folder replaces it; that does not work across containers.
 */
async function lockOnLinux(file: FileHandle, dataDir: string): Promise<Server | null> {
  const { code, output, error } = await runProgram('flock', ['-x', '-n', '3'], { inheritedFd: file.fd });
  if (error !== null && isErrno(error, 'ENOENT')) return listenByName(await file.stat());
  if (code === 0) return null;
  if (code === 1 && output === '') throw HELD;
  throw new EmbeddedPostgresError(`The data folder ${dataDir} cannot be locked: ${error?.message ?? output.trim()}`);
}

export function listenByName(identity: { readonly dev: number; readonly ino: number }): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => reject(isErrno(error, 'EADDRINUSE') ? HELD : error));
    server.listen(`\0laurel-data-folder-${identity.dev}-${identity.ino}`, () => resolve(server.unref()));
  });
}

async function readHolder(file: FileHandle): Promise<number | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0);
  const pid = Number.parseInt(buffer.toString('latin1', 0, bytesRead), 10);
  return pid > 0 ? pid : null;
}

async function release(file: FileHandle, name: Server | null): Promise<void> {
  name?.close();
  lockFiles.delete(file);
  await file.close();
}
