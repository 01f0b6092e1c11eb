import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const SOCKET = 'laurel.sock';
/** A file in the data folder with the path of the socket, if the folder's path is too long for a socket. */
const RECORD = 'laurel.sock.path';
/** Files that a killed server leaves in its data folder. */
export const LOCAL_SOCKET_FILES: readonly string[] = [SOCKET, RECORD];
/**
 * The socket is bound in a folder with this name and then moved, so that nobody can reach it before its mode is set.
 */
const DRAFT = '.laurel.sock-';
/** sun_path holds 108 bytes with the final zero on Linux, 104 on macOS. */
const LONGEST_PATH = process.platform === 'darwin' ? 103 : 107;

/** Another process serves from this data folder. */
export class LocalSocketInUseError extends Error {
  override readonly name = 'LocalSocketInUseError';
}

/** The path of the local socket of a server with this data folder, whether or not the server runs. */
export async function localSocketPath(dataDir: string): Promise<string> {
  const folder = await realPath(dataDir);
  return (await recordedPath(folder)) ?? join(folder, SOCKET);
}

/**
 * Lets a server listen on the local socket of a data folder, which is created if missing (0700). The file has the mode
 * 0600 from the first moment. Files left behind by a dead process are replaced.
 *
 * @returns its path, and a function that removes it.
 * @throws LocalSocketInUseError if a server answers there; the system's error if the folder is not writable.
 */
export async function bindLocalSocket(server: Server, dataDir: string): Promise<LocalSocket> {
  await mkdir(dirname(resolve(dataDir)), { recursive: true });
  await mkdir(dataDir, { mode: 0o700 }).catch(ignoring('EEXIST'));
  const folder = await realpath(dataDir);
  if (await isServed(await localSocketPath(folder)))
    throw new LocalSocketInUseError(`another Laurel serves from ${folder}; set LAUREL_DATA_DIR to a folder of its own`);
  await dropRecorded(folder);
  return fits(folder) ? bindInside(server, folder) : bindElsewhere(server, folder);
}

export interface LocalSocket {
  readonly path: string;
  /** Removes the file, unless another process has replaced it. Call it after the server is closed. */
  remove(): Promise<void>;
}

const fits = (folder: string): boolean => Buffer.byteLength(join(folder, `${DRAFT}123456`, SOCKET)) <= LONGEST_PATH;

async function bindInside(server: Server, folder: string): Promise<LocalSocket> {
  const draft = await mkdtemp(join(folder, DRAFT));
  const path = join(folder, SOCKET);
  try {
    await bind(server, join(draft, SOCKET));
    await rename(join(draft, SOCKET), path);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const { ino } = await lstat(path);
  return { path, remove: () => removeIf(path, ino) };
}

/** Binds in a separate short folder below the temporary one; a record in the data folder has its path. */
async function bindElsewhere(server: Server, folder: string): Promise<LocalSocket> {
  const parent = [tmpdir(), '/tmp'].find((path) => fits(path)) ?? '/tmp';
  const shelter = await mkdtemp(join(parent, 'laurel-'));
  const path = join(shelter, SOCKET);
  try {
    await writeFile(join(folder, RECORD), path, { mode: 0o600 });
    await bind(server, path);
  } catch (error) {
    await rm(shelter, { recursive: true, force: true });
    throw error;
  }
  return { path, remove: async () => void ((await recordedPath(folder)) === path && (await dropRecorded(folder))) };
}

async function bind(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
}

async function removeIf(path: string, ino: number): Promise<void> {
  const found = await lstat(path).catch(ignoring('ENOENT'));
  if (found?.ino === ino) await rm(path, { force: true });
}

/** Removes the record, if there is one, and the socket that it names, with its folder. */
async function dropRecorded(folder: string): Promise<void> {
  const path = await recordedPath(folder);
  if (path !== null) {
    await rm(path, { force: true });
    await rmdir(dirname(path)).catch(() => undefined);
  }
  await rm(join(folder, RECORD), { force: true });
}

/**
 * The recorded path, or null. Temporary folders are cleaned up, and somebody else may create one with the old name, so
 * the path counts only if its folder and the record have the same owner.
 */
async function recordedPath(folder: string): Promise<string | null> {
  const record = join(folder, RECORD);
  const path = await readFile(record, 'utf8').catch(ignoring('ENOENT', 'ENOTDIR', 'EACCES'));
  if (path === undefined || basename(path) !== SOCKET) return null;
  const [writer, holder] = await Promise.all([lstat(record), lstat(dirname(path)).catch(() => null)]);
  return holder?.isDirectory() && holder.uid === writer.uid ? path : null;
}

/** Whether a server answers. False also for a file that refuses connections: a dead process left it behind. */
async function isServed(path: string): Promise<boolean> {
  if (Buffer.byteLength(path) > LONGEST_PATH || !(await exists(path))) return false;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return !['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes((error as NodeJS.ErrnoException).code ?? '');
  } finally {
    socket.destroy();
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const realPath = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

const ignoring =
  (...codes: readonly string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
