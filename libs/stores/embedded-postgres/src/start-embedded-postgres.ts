import { rm, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { connectionTo, connectionUrl, type EmbeddedConnection } from './connection.ts';
import {
  dataFolderAt,
  dropSocketDir,
  prepareRoot,
  prepareSocketDir,
  removeSocketFiles,
  SOCKET_PORT,
  type DataFolder,
} from './data-folder.ts';
import { EmbeddedPostgresError, isErrno } from './embedded-postgres-error.ts';
import { disarmPidFile } from './pid-file.ts';
import { lockFolder, type FolderLock } from './folder-lock.ts';
import { ensureCluster, type Installation } from './initialise.ts';
import { guardAgainstOrphan } from './orphan-guard.ts';
import { isOutOfSpace } from './out-of-space.ts';
import { findPlatformPackage, prepareBinaries } from './platform-binaries.ts';
import type { ServerAccount } from './run-program.ts';
import { chooseServerAccount } from './server-account.ts';
import { openServerLog, type ServerLog } from './server-log.ts';
import { stopServerProcesses } from './server-processes.ts';
import { spawnServer, stopServer, waitUntilReady } from './server.ts';
import { serverParameters, type Machine, type Settings } from './settings.ts';
import { SupervisedServer, type RunningServer, type UnexpectedExit } from './supervised-server.ts';

export interface EmbeddedPostgresOptions {
  /** The folder of all files; created (0700) if absent. */
  readonly dataDir: string;
  /** Called with messages for the operator, one line each. */
  readonly log?: (message: string) => void;
  /** Server settings for a larger machine. Durability, the socket and the time zone cannot be overridden. */
  readonly settings?: Settings;
  /** Restarts a server that ends unexpectedly, a few times in a row at most. Off by default. */
  readonly restart?: boolean;
  /**
   * Tests only: nothing is flushed, and a data folder that this call created is removed when the server is stopped or this process ends. A
   * crash loses data.
   */
  readonly unsafeForTests?: boolean;
}

export interface EmbeddedPostgres {
  readonly connection: EmbeddedConnection;
  /** The same as a URL. It contains the password: never log it. */
  readonly url: string;
  /** The process id of the current server. */
  readonly pid: number;
  /** The process that ends the server if this one dies; undefined without a shell. */
  readonly guardPid: number | undefined;
  /** Called once when the server has ended for good without `stop`; at once if it already has. */
  onExit(callback: (exit: UnexpectedExit) => void): void;
  /** Called whenever the server has been restarted after an unexpected end and accepts clients. */
  onRestart(callback: (exit: UnexpectedExit) => void): void;
  /** Ends the server cleanly and unlocks the data folder. Idempotent; does not reject if the server has already ended. */
  stop(): Promise<void>;
}

/**
 * Starts the database in `dataDir`, creating it on first use, and resolves when it accepts clients. It first ends a server that a killed
 * process left behind in the folder. All acknowledged data survives a crash.
 *
 * @throws DataFolderInUseError if a living process uses the folder
 * @throws EmbeddedPostgresError with the server's last messages or the remedy, if it cannot be started
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const platformPackage = await findPlatformPackage();
  const wanted = await dataFolderAt(options.dataDir);
  const account = await chooseServerAccount(wanted.pgData);
  const { created, folder, lock } = await enter(wanted.root, account);
  const throwaway = created && options.unsafeForTests === true;
  const giveUp = async (): Promise<void> => {
    if (throwaway) await rm(folder.root, { recursive: true, force: true });
    await lock.release();
  };
  try {
    const binaries = await prepareBinaries(platformPackage, account, folder.binaries);
    const leave = (): Promise<void> => binaries.discard().then(giveUp);
    const start = startLocked({ folder, account, binaries }, { ...options, throwaway, giveUp: leave });
    return await start.catch(async (error: unknown) => {
      await binaries.discard();
      throw error;
    });
  } catch (error) {
    await giveUp();
    throw error;
  }
}

/** Creates the data folder if need be, and locks it. */
async function enter(
  root: string,
  account: ServerAccount | null,
): Promise<{ created: boolean; folder: DataFolder; lock: FolderLock }> {
  try {
    const created = await prepareRoot(root, account);
    const folder = await dataFolderAt(root);
    return { created, folder, lock: await lockFolder(folder.root, folder.lock) };
  } catch (error) {
    if (!isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG')) throw error;
    throw new EmbeddedPostgresError(
      `The data folder ${root} cannot be used by user id ${process.geteuid?.()} (${(error as Error).message}). ` +
        'Set LAUREL_DATA_DIR to a folder that this user may write in, or start Laurel as the owner of that folder.',
    );
  }
}

/** Respects the limit of a container; without a limit, `constrainedMemory` exceeds the memory of any machine. */
async function machineOf(pgData: string): Promise<Machine> {
  const disk = await statfs(pgData).catch(() => null);
  return {
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
    diskBytes: disk === null ? 0 : disk.blocks * disk.bsize,
  };
}

interface LockedOptions extends EmbeddedPostgresOptions {
  readonly throwaway: boolean;
  /** Unlocks the data folder. */
  readonly giveUp: () => Promise<void>;
}

async function startLocked(installation: Installation, options: LockedOptions): Promise<EmbeddedPostgres> {
  const { folder, account } = installation;
  const unsafeForTests = options.unsafeForTests ?? false;
  await stopServerProcesses(folder.pgData, options.log ?? (() => undefined));
  const password = await ensureCluster(installation, unsafeForTests);
  const socketDir = await prepareSocketDir(folder, account);
  const log = await openServerLog(folder.log);
  const where = { socketDir, port: SOCKET_PORT };
  const parameters = serverParameters(folder.pgData, where, await machineOf(folder.pgData), {
    ...options,
    unsafeForTests,
  });
  const connection = connectionTo(socketDir, password);
  const cleanUp = async (): Promise<void> => {
    // After a killed postmaster, its other processes take a moment to end.
    await stopServerProcesses(folder.pgData, options.log ?? (() => undefined));
    await log.close();
    await dropSocketDir(folder);
  };
  try {
    const launch = (): Promise<RunningServer> => launchServer({ installation, parameters, connection, log, options });
    const restart = options.restart ?? false;
    const server = await SupervisedServer.start({
      launch,
      restart,
      lastMessages: () => log.tail(),
      isOutOfSpace: (error) => isOutOfSpace(error, folder.root),
      onOutOfSpace: () =>
        options.log?.(`the disk of ${folder.root} is full; the database starts again once there is space`),
    });
    return handleOf(server, connection, () => cleanUp().then(options.giveUp));
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

interface Launch {
  readonly installation: Installation;
  readonly parameters: readonly string[];
  readonly connection: EmbeddedConnection;
  readonly log: ServerLog;
  readonly options: LockedOptions;
}

/** Starts a server after any end of the previous one. */
async function launchServer({ installation, parameters, connection, log, options }: Launch): Promise<RunningServer> {
  const { pgData } = installation.folder;
  await stopServerProcesses(pgData, options.log ?? (() => undefined));
  await disarmPidFile(pgData);
  await removeSocketFiles(connection.host);
  const server = await spawnServer(installation, parameters, log);
  const guard = guardAgainstOrphan(installation, server.pid, options.throwaway);
  try {
    await waitUntilReady(server, connection, log);
    return { server, guard };
  } catch (error) {
    await stopServer(server);
    guard.dismiss();
    throw error;
  }
}

function handleOf(
  server: SupervisedServer,
  connection: EmbeddedConnection,
  leave: () => Promise<void>,
): EmbeddedPostgres {
  let stopping: Promise<void> | null = null;
  return {
    connection,
    url: connectionUrl(connection),
    get pid() {
      return server.pid;
    },
    get guardPid() {
      return server.guardPid;
    },
    onExit: (callback) => server.onExit(callback),
    onRestart: (callback) => server.onRestart(callback),
    stop: () => (stopping ??= server.stop().then(leave)),
  };
}
