import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '../http-suite/client.ts';

/**
 * Returns earlier answers again, byte by byte. The client sends its requests to `urlOf(index)`, and its request shows
 * which route it uses.
 */
export class ReplayServer {
  readonly #server: Server;
  readonly #requested = new Map<number, string>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(exchanges: readonly Exchange[]): Promise<ReplayServer> {
    const server = createServer();
    const replay = new ReplayServer(server);
    server.on('request', ({ method, url = '' }, response) => {
      const [, index = '', path = ''] = /^\/(\d+)(\/[^?]*)/.exec(url) ?? [];
      replay.#requested.set(Number(index), `${method} ${path}`);
      const answer = exchanges[Number(index)]?.answer;
      response.writeHead(answer?.status ?? 500, {
        'content-type': answer?.headers.get('content-type') ?? 'text/plain',
        // A kept connection may be closed just when a slow client sends on it.
        connection: 'close',
      });
      response.end(answer?.text);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return replay;
  }

  urlOf(index: number): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${index}`;
  }

  /** Method and path of the latest request for this answer. */
  requested(index: number): string | undefined {
    return this.#requested.get(index);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
