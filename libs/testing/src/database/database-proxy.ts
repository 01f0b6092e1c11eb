import type { EmbeddedConnection } from '@laurel/embedded-postgres';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The fault of the connection that sends a statement. `before`: the connection is cut, and the server never gets the
 * statement. `after`: it is cut when the server has executed the statement and answers. `silent`: the client's side is
 * cut, without the server noticing.
 */
export type ConnectionFault = 'before' | 'after' | 'silent';

/** A proxy between a client and a Postgres server that makes connections fail when a test says so. */
export interface DatabaseProxy {
  /** The server's connection options, through the proxy. */
  readonly connection: EmbeddedConnection;
  /** Applies these faults, one each, to the next messages that contain the text (a statement's name). */
  failNext(text: string, faults: readonly ConnectionFault[]): void;
  /** While false, new connections are refused. */
  reachable: boolean;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

export async function openDatabaseProxy(target: EmbeddedConnection): Promise<DatabaseProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-proxy-'));
  const clients = new Set<Socket>();
  const upstreams = new Set<Socket>();
  const planned: { readonly text: string; readonly fault: ConnectionFault }[] = [];
  const proxy: DatabaseProxy = {
    connection: { ...target, host: folder },
    failNext: (text, faults) => void planned.push(...faults.map((fault) => ({ text, fault }))),
    reachable: true,
    cut: () => clients.forEach((client) => client.destroy()),
    close: async () => {
      for (const socket of [...clients, ...upstreams]) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
  const faultOf = (message: Buffer): ConnectionFault | null =>
    planned[0] && message.includes(planned[0].text) ? (planned.shift()?.fault ?? null) : null;
  const server = createServer((client) => {
    if (!proxy.reachable) return client.destroy();
    const upstream = connect(join(target.host, `.s.PGSQL.${target.port}`));
    let fault: ConnectionFault | null = null;
    clients.add(client);
    upstreams.add(upstream);
    client
      .on('error', () => undefined)
      .on('close', () => {
        clients.delete(client);
        if (fault !== 'silent') upstream.destroy();
      });
    upstream
      .on('error', () => undefined)
      .on('close', () => {
        upstreams.delete(upstream);
        client.destroy();
      });
    client.on('data', (message) => {
      fault ??= faultOf(message);
      if (fault !== 'before') upstream.write(message);
      if (fault === 'before' || fault === 'silent') client.destroy();
    });
    upstream.on('data', (answer) => {
      if (fault === null) client.write(answer);
      else client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, `.s.PGSQL.${target.port}`), resolve));
  return proxy;
}
