import { locate, parseDatabaseUrl, StartError, type ConnectionOptions } from '@laurel/database';
import {
  inspectEmbeddedPostgres,
  pickDataDir,
  startEmbeddedPostgres,
  type Inspection,
} from '@laurel/embedded-postgres';
import { dataFolders, readEnvironment, withFormerFolder } from '@laurel/runtime/surroundings';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';

/** The database of a service, whether or not it runs. */
export interface OpenedDatabase {
  readonly connection: ConnectionOptions;
  /** The folder of the embedded database; null with LAUREL_DATABASE_URL. */
  readonly dataDir: string | null;
  /** Stops the server if this command has started it. */
  close(): Promise<void>;
}

/**
 * Opens the database that the environment names. The embedded one is started for the command if it is not running.
 * @throws CommandError with exit code 2 if there is none; DataFolderInUseError while a service is just starting.
 */
export async function openDatabase({ variables, stderr }: CommandContext): Promise<OpenedDatabase> {
  const environment = readEnvironment(variables);
  if (environment.databaseUrl !== null)
    return { connection: parseDatabaseUrl(environment.databaseUrl), dataDir: null, close: () => Promise.resolve() };
  const { dataDir, ...found } = await findEmbedded(await pickDataDir(...dataFolders(environment)));
  switch (found.state) {
    case 'absent':
      throw new CommandError(2, noData(dataDir));
    case 'running':
      return { connection: found.connection, dataDir, close: () => Promise.resolve() };
    case 'stopped': {
      stderr.write('the service is stopped; starting its database for this command\n');
      const server = await startEmbeddedPostgres({ dataDir });
      return { connection: server.connection, dataDir, close: () => server.stop() };
    }
  }
}

/**
 * Also looks in the former folder of release 0.1, in which the database stays until a start of the service moves it.
 */
async function findEmbedded(picked: string): Promise<Inspection & { readonly dataDir: string }> {
  for (const dataDir of withFormerFolder(picked)) {
    const found = await inspectEmbeddedPostgres(dataDir);
    if (found.state !== 'absent') return { dataDir, ...found };
  }
  return { dataDir: picked, state: 'absent' };
}

/** Opens the database for some work and closes it again. @throws CommandError with exit code 2 also if the database is of another release */
export async function withDatabase<T>(
  context: CommandContext,
  work: (connection: ConnectionOptions, dataDir: string | null) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(context);
  try {
    if (context.interrupted.aborted) throw new InterruptedError();
    return await work(await locate(database.connection), database.dataDir);
  } catch (error) {
    if (error instanceof StartError) throw new CommandError(2, error.message);
    throw isOfAnotherRelease(error)
      ? new CommandError(2, ANOTHER_RELEASE)
      : (unusable(error, database.connection) ?? error);
  } finally {
    await database.close();
  }
}

/** Waits for work that cannot be stopped. @throws InterruptedError as soon as Ctrl-C is pressed; the process then ends. */
export function unlessInterrupted<T>(work: Promise<T>, { interrupted }: CommandContext): Promise<T> {
  return new Promise((resolve, reject) => {
    interrupted.addEventListener('abort', () => reject(new InterruptedError()), { once: true });
    work.then(resolve, reject);
  });
}

const noData = (dataDir: string): string =>
  `${plainText(dataDir)} holds no data; LAUREL_DATA_DIR and LAUREL_DATABASE_URL must be as the service has them`;

const ANOTHER_RELEASE =
  'the database holds no Laurel of this release: start the service once, which brings it up to date; LAUREL_DATABASE_URL must be as the service has it';

/** The error of a refused connection, with its address; null for any other error. */
function unusable(error: unknown, { host, port, database }: ConnectionOptions): CommandError | null {
  // A name with several addresses causes one error for each.
  const [first] = (error as Partial<AggregateError>).errors ?? [error];
  const { code = '', message, syscall } = first as NodeJS.ErrnoException;
  if (!NOT_LET_IN.test(code) || !isOfConnection(code, syscall)) return null;
  return new CommandError(
    2,
    `the database at ${plainText(`${host}:${port}/${database}`)} cannot be used: ${plainText(message)}`,
  );
}

/** The system's codes (ECONNREFUSED), and SQLSTATEs of wrong credentials and of a missing database. */
const NOT_LET_IN = /^(E[A-Z_]+|28\w{3}|3D000)$/;

/** Errors of files and of the command's output have similar codes. A failed TLS handshake is an EPROTO of a write. */
const isOfConnection = (code: string, syscall: string | undefined): boolean =>
  syscall === undefined || code === 'EPROTO' || ['connect', 'getaddrinfo', 'read'].includes(syscall);

/** SQLSTATE of a missing table or column. */
const isOfAnotherRelease = (error: unknown): boolean =>
  ['42P01', '42703'].includes((error as { readonly code?: string }).code ?? '');
