import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { DataFolderInUseError, EmbeddedPostgresError, isErrno } from './embedded-postgres-error.ts';
import { runProgram } from './run-program.ts';

/** A lock that the kernel drops when its holder dies, however it dies. */
export interface FolderLock {
  release(): Promise<void>;
}

/** A handle that is garbage collected closes its descriptor, and the lock with it: here each stays as long as its lock. */
const lockFiles = new Set<FileHandle>();

/** open(2) on macOS: take an exclusive flock(2) with the descriptor. */
const O_EXLOCK = 0x20;

/**
 * Locks the folder for this process. The lock file stays when the lock is released: its existence says nothing.
 *
 * @throws DataFolderInUseError if a living process (this one included) holds it.
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
 * flock(2) belongs to the open file, not to the process that asked for it: flock(1) locks our descriptor and goes.
 * Where there is no flock(1), an abstract socket named after the folder stands in; it does not reach across containers.
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
