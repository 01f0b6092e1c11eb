import { parseDatabaseUrl, type ConnectionOptions } from '@laurel/database';
import { startEmbeddedPostgres, type UnexpectedExit } from '@laurel/embedded-postgres';

export interface OpenDatabase {
  readonly connection: ConnectionOptions;
  /** Where the data is, for people; no secret in it. */
  readonly place: string;
  onExit(callback: (exit: UnexpectedExit) => void): void;
  close(): Promise<void>;
}

/** The operator's own server if a URL is given, else the embedded one in `dataDir`. */
export async function openDatabase(databaseUrl: string | null, dataDir: string, log: (message: string) => void): Promise<OpenDatabase> {
  if (databaseUrl !== null) {
    const connection = parseDatabaseUrl(databaseUrl);
    return { connection, place: `${connection.database} on ${connection.host}`, onExit: () => undefined, close: () => Promise.resolve() };
  }
  const server = await startEmbeddedPostgres({ dataDir, log });
  return { connection: server.connection, place: dataDir, onExit: (callback) => server.onExit(callback), close: () => server.stop() };
}
