import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, mkdtemp, open, readFile, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError, isErrno } from './embedded-postgres-error.ts';
import { findBarrier, findObstacle } from './reachability.ts';
import type { ServerAccount } from './run-program.ts';

/** The paths in the data folder. */
export interface DataFolder {
  readonly root: string;
  readonly pgData: string;
  /** The prefix of databases in creation, which are renamed to `pgData` when they are complete. */
  readonly draftPrefix: string;
  readonly socketDir: string;
  /** A file with the path of the socket's folder, if `socketDir` is too long for a socket. */
  readonly socketDirRecord: string;
  readonly password: string;
  readonly lock: string;
  readonly log: string;
  readonly binaries: string;
  /** A file that marks this folder as a separate data folder, even inside another one. */
  readonly kept: string;
}

/** Uses the real path, so that a folder has one name, whatever links lead to it. */
export async function dataFolderAt(dataDir: string): Promise<DataFolder> {
  const root = await realpath(dataDir).catch(() => resolve(dataDir));
  return {
    root,
    pgData: join(root, 'postgres'),
    draftPrefix: join(root, 'postgres.draft-'),
    socketDir: join(root, 'socket'),
    socketDirRecord: join(root, 'socket-folder'),
    password: join(root, 'postgres.password'),
    lock: join(root, 'postgres.lock'),
    log: join(root, 'postgres.log'),
    binaries: join(root, 'binaries'),
    kept: join(root, 'data-folder'),
  };
}

/** Names the socket file; no TCP port is opened. */
export const SOCKET_PORT = 5432;
/** sun_path holds 108 bytes with the final zero on Linux, 104 on macOS. */
const MAX_SOCKET_PATH = process.platform === 'darwin' ? 103 : 107;

export const exists = async (path: string): Promise<boolean> =>
  (await lstat(path).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  })) !== null;

/**
 * Creates the folder if it does not exist, for this process's user alone; a separate server account may pass it (0710), but not write in it.
 * An existing folder keeps its owner and mode.
 *
 * @returns true if it was created
 * @throws EmbeddedPostgresError, with the remedy, if the server's account cannot use the folder
 */
export async function prepareRoot(root: string, account: ServerAccount | null): Promise<boolean> {
  await assertUsable(root, account);
  await makeFolders(dirname(root));
  const created = await mkdir(root, { mode: 0o700 }).then(() => true, ignoreExisting);
  if (created && account !== null) {
    await chown(root, process.geteuid?.() ?? 0, account.gid);
    await chmod(root, 0o710);
  }
  await assertUsable(root, account);
  return created;
}

function ignoreExisting(error: unknown): false {
  if (isErrno(error, 'EEXIST')) return false;
  throw error;
}

async function assertUsable(root: string, account: ServerAccount | null): Promise<void> {
  const refusal = await refusalOf(root, account);
  if (refusal !== null) throw new EmbeddedPostgresError(refusal);
}

/** Creates the folder and its ancestors. Not with `recursive`, because Node would retry for ever where the system refuses folders (/proc). */
async function makeFolders(folder: string): Promise<void> {
  const isMade = await mkdir(folder).then(() => true, ignoreExistingOrAbsent);
  if (isMade) return;
  await makeFolders(dirname(folder));
  await mkdir(folder).catch(ignoreExisting);
}

/** @returns whether the folder exists */
function ignoreExistingOrAbsent(error: unknown): boolean {
  if (isErrno(error, 'EEXIST')) return true;
  if (isErrno(error, 'ENOENT')) return false;
  throw error;
}

/** The reason why the account (null for this process's own) cannot use the data folder, or null. Changes nothing. */
export async function refusalOf(root: string, account: ServerAccount | null): Promise<string | null> {
  const obstacle = await findObstacle(root);
  if (obstacle !== null) return `The data folder ${root} ${obstacle}`;
  const barrier = await findBarrier(root, account);
  if (barrier === null || account === null) return null;
  return (
    `The data folder ${root} cannot be used: as root is not allowed to run it, the database runs under the account ` +
    `${account.name}, which cannot pass ${barrier}. Set LAUREL_DATA_DIR to a folder that it reaches ` +
    `(such as /var/lib/laurel), start Laurel as a normal user, or set LAUREL_DATABASE_URL.`
  );
}

export async function giveTo(path: string, account: ServerAccount | null): Promise<void> {
  if (account !== null) await chown(path, account.uid, account.gid);
}

/** A folder that only the server's account (and root) can enter. */
export async function privateFolder(path: string, account: ServerAccount | null): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
  await giveTo(path, account);
  return path;
}

const fits = (socketDir: string): boolean =>
  Buffer.byteLength(join(socketDir, `.s.PGSQL.${SOCKET_PORT}`)) <= MAX_SOCKET_PATH;

/** The socket's folder: inside the data folder, or a short one under the system's temporary folder, recorded for readers. */
export async function prepareSocketDir(folder: DataFolder, account: ServerAccount | null): Promise<string> {
  if (fits(folder.socketDir)) {
    await rm(folder.socketDirRecord, { force: true });
    return privateFolder(folder.socketDir, account);
  }
  await dropSocketDir(folder);
  const parent = [tmpdir(), '/tmp'].find((path) => fits(join(path, 'laurel-123456'))) ?? '/tmp';
  const socketDir = await privateFolder(await mkdtemp(join(parent, 'laurel-')), account);
  await writeFile(folder.socketDirRecord, socketDir, { mode: 0o600 });
  return socketDir;
}

/** The folder of a running server's socket. It may exist without a server. */
export async function findSocketDir(folder: DataFolder): Promise<string> {
  return (await readFile(folder.socketDirRecord, 'utf8').catch(() => '')) || folder.socketDir;
}

/** Removes the temporary folder of an earlier run, if there was one. It removes only the server's two files. */
export async function dropSocketDir(folder: DataFolder): Promise<void> {
  const socketDir = await findSocketDir(folder);
  if (socketDir === folder.socketDir) return;
  await removeSocketFiles(socketDir);
  await rmdir(socketDir).catch(() => undefined);
  await rm(folder.socketDirRecord, { force: true });
}

export async function removeSocketFiles(socketDir: string): Promise<void> {
  const socket = join(socketDir, `.s.PGSQL.${SOCKET_PORT}`);
  await rm(socket, { force: true });
  await rm(`${socket}.lock`, { force: true });
}

export const readPassword = (folder: DataFolder): Promise<string | null> =>
  readFile(folder.password, 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  });

/** Created once, with mode 0600 for this process's user. Flushed before its first use. */
export async function createPassword(folder: DataFolder): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const file = await open(folder.password, 'w', 0o600);
  try {
    await file.writeFile(password);
    await file.sync();
  } finally {
    await file.close();
  }
  return password;
}
