import { resolve } from 'node:path';
import type { FileSystemSpace } from '@laurel/ports';
import {
  clientConfig,
  locate,
  parseDatabaseUrl,
  SessionClient,
  StartError,
  type ConnectionOptions,
} from '@laurel/database';
import {
  assertDurable,
  fileSystemSpace,
  inspectEmbeddedPostgres,
  isKeptInPlace,
  keepInPlace,
  moveDatabase,
  startEmbeddedPostgres,
  type UnexpectedExit,
} from '@laurel/embedded-postgres';
import { formerDataFolder, LOCAL_SOCKET_FILES } from '@laurel/runtime';
import { SECRETS_KEY_FILE } from '@laurel/webhooks';

export interface OpenDatabase {
  readonly connection: ConnectionOptions;
  /** The place of the data, for people. Contains no secret. */
  readonly place: string;
  /** A folder inside the data folder with an unused database of release 0.1; null if there is none. */
  readonly unused: string | null;
  /** The space on the database's disk; null if this process cannot see it. */
  readonly space: (() => Promise<FileSystemSpace>) | null;
  onExit(callback: (exit: UnexpectedExit) => void): void;
  close(): Promise<void>;
}

/**
 * Opens the operator's own server if a URL is given, otherwise the embedded one in `dataDir`.
 * @throws Error if the server could lose acknowledged data, or cannot be reached.
 */
export async function openDatabase(
  databaseUrl: string | null,
  dataDir: string,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  if (databaseUrl !== null) {
    const connection = await openOwn(parseDatabaseUrl(databaseUrl));
    return {
      connection,
      place: `${connection.database} on ${connection.host}`,
      unused: null,
      space: null,
      onExit: () => undefined,
      close: () => Promise.resolve(),
    };
  }
  const former = formerDataFolder(dataDir);
  await moveDatabase({ from: former, to: dataDir, beside: [SECRETS_KEY_FILE], dropped: LOCAL_SOCKET_FILES, log });
  const unused = await holdsUnused(former).catch(() => false);
  const server = await startEmbeddedPostgres({ dataDir, log, restart: true });
  await keepInPlace(dataDir);
  server.onRestart(({ code, signal }) =>
    log(`the embedded database ended by itself (${signal ?? `code ${code}`}) and was started again`),
  );
  return {
    connection: await locate(server.connection),
    place: resolve(dataDir),
    unused: unused ? resolve(former) : null,
    space: () => fileSystemSpace(dataDir),
    onExit: (callback) => server.onExit(callback),
    close: () => server.stop(),
  };
}

const holdsUnused = async (former: string): Promise<boolean> =>
  (await inspectEmbeddedPostgres(former)).state !== 'absent' && !(await isKeptInPlace(former));

async function openOwn(given: ConnectionOptions): Promise<ConnectionOptions> {
  try {
    const connection = await locate(given);
    await askDurability(connection);
    return connection;
  } catch (error) {
    if (!(error instanceof Error) || isRefusal(error)) throw error;
    throw new StartError(
      `the database of LAUREL_DATABASE_URL (${given.host}:${given.port}/${given.database}) cannot be used: ${error.message}`,
      { cause: error },
    );
  }
}

/** Its message already says what to do. */
const isRefusal = ({ name }: Error): boolean => ['StartError', 'EmbeddedPostgresError'].includes(name);

async function askDurability(connection: ConnectionOptions): Promise<void> {
  const client = new SessionClient({ ...clientConfig(connection), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await assertDurable({ query: async (sql, parameters) => (await client.query(sql, [...parameters])).rows });
  } finally {
    await client.end();
  }
}
