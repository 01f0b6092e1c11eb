import { connectionUrl, startEmbeddedPostgres, type EmbeddedPostgres } from '@laurel/embedded-postgres';
import { openTcpProxy, type TcpProxy } from '../database/tcp-proxy.ts';

/** A Postgres of the operator's own, behind a proxy. An orchestrator watches it: a server that has ended is started again. */
export interface OwnServer {
  readonly pid: number;
  /** Past the proxy. */
  readonly connection: EmbeddedPostgres['connection'];
  /** By way of the proxy. */
  readonly url: string;
  readonly proxy: TcpProxy;
  stop(): Promise<void>;
}

const RETRY_MS = 500;
/** Clients enough for a whole distributed topology; and as the guide says for a server that is watched. */
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
      // One that lets clients in already may still be on its way to becoming the server.
      await starting;
      await server.stop();
      await proxy.close();
    },
  };
}
