import { type IncomingMessage, type Server, createServer } from 'node:http';
import { fullScope, type Principal } from '../api-keys.ts';
import { bindLocalSocket, type LocalSocket } from './local-socket.ts';
import type { RequestHandler } from './request-gate.ts';

/** The parts that the local server shares with the TCP server. The only difference is that it needs no key. */
export interface SharedBehaviour {
  readonly handler: RequestHandler;
  /** The server on TCP, whose time limits apply. */
  readonly server: Server;
  /** Attaches handlers for errors outside requests. */
  readonly prepare: (server: Server) => void;
}

/**
 * Lets callers in who can open a 0600 file on this machine, without a key. A request is recognized by the server that
 * accepted it and by nothing in the request, so requests from outside cannot imitate one.
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

  /** Accepts no new requests, and waits for running ones. */
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
