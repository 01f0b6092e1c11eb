import { connectionUrl, startEmbeddedPostgres, type EmbeddedPostgres } from '@laurel/embedded-postgres';
import { openTcpProxy, type TcpProxy } from '../database/tcp-proxy.ts';

/** An operator's own Postgres behind a proxy, with an orchestrator that restarts it when it ends. */
export interface OwnServer {
  readonly pid: number;
  /** Direct connection, bypassing the proxy. */
  readonly connection: EmbeddedPostgres['connection'];
  /** URL through the proxy. */
  readonly url: string;
  readonly proxy: TcpProxy;
  stop(): Promise<void>;
}

const RETRY_MS = 500;
/**
 * Enough connections for a distributed topology, and the settings that the guide recommends for a supervised server.
 */
const SETTINGS = new Map([
  ['max_connections', '400'],
  ['restart_after_crash', 'off'],
]);

export async function startOwnServer(dataDir: string): Promise<OwnServer> {
  const start = () => startEmbeddedPostgres({ dataDir, settings: SETTINGS });
  let server = await start();
  let stopped = false;
  let starting = Promise.resolve();
  const watch = (): void => server.onExit(() => void (starting = again()));
  const again = async (): Promise<void> => {
    await server.stop();
    while (!stopped) {
      const next = await start().catch(() => null);
      if (next !== null) {
        server = next;
        return watch();
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  watch();
  const { connection } = server;
  const proxy = await openTcpProxy({ path: `${connection.host}/.s.PGSQL.${connection.port}` });
  return {
    get pid() {
      return server.pid;
    },
    connection,
    url: connectionUrl({ ...connection, host: '127.0.0.1', port: proxy.port }).replace(
      /@\/.*$/,
      `@${proxy.address}/${connection.database}`,
    ),
    proxy,
    stop: async () => {
      stopped = true;
      // A server that already accepts clients may still be starting.
      await starting;
      await server.stop();
      await proxy.close();
    },
  };
}
