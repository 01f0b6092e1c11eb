import { type IncomingMessage, type Server, createServer } from 'node:http';
import { fullScope, type Principal } from '../api-keys.ts';
import { bindLocalSocket, type LocalSocket } from './local-socket.ts';
import type { RequestHandler } from './request-gate.ts';

/** Parts that the local server shares with the TCP server. The local server must allow nothing more, except to omit the key. */
export interface SharedBehaviour {
  readonly handler: RequestHandler;
  /** The server on TCP, whose time limits hold. */
  readonly server: Server;
  /** Attaches what answers errors below a request. */
  readonly prepare: (server: Server) => void;
}

/**
 * The way in for who may open a 0600 file of this machine, in place of a key. A request is known by the server that took it,
 * and by nothing that it carries, so that none from outside can pass for one.
 */
export class LocalSocketServer {
  readonly #callers = new WeakMap<IncomingMessage, Principal>();
  #open: { readonly server: Server; readonly socket: LocalSocket } | null = null;

  /** null for a caller over TCP. */
  callerOf(request: IncomingMessage): Principal | null {
    return this.#callers.get(request) ?? null;
  }

  /** @returns the socket's path. @throws as {@link bindLocalSocket}. */
  async listen(dataDir: string, account: string, { handler, server: like, prepare }: SharedBehaviour): Promise<string> {
    const principal = fullScope(account, 'local');
    const server = createServer({ requireHostHeader: false }, (request, response) => {
      this.#callers.set(request, principal);
      handler(request, response);
    });
    const { requestTimeout, headersTimeout, keepAliveTimeout, maxRequestsPerSocket } = like;
    Object.assign(server, { requestTimeout, headersTimeout, keepAliveTimeout, maxRequestsPerSocket });
    prepare(server);
    try {
      const socket = await bindLocalSocket(server, dataDir);
      this.#open = { server, socket };
      return socket.path;
    } catch (error) {
      server.close();
      throw error;
    }
  }

  /** Takes no new request, lets those under way end. */
  async close(): Promise<void> {
    if (this.#open === null) return;
    const { server, socket } = this.#open;
    await new Promise((resolve) => server.close(resolve));
    await socket.remove();
  }

  closeConnections(): void {
    this.#open?.server.closeAllConnections();
  }
}
