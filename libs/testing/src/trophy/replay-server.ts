import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '../http-suite/client.ts';

/**
 * Gives answers that were received earlier once more, byte by byte: the client is pointed at `urlOf(index)`, and says by its
 * request which route it takes.
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
        // A connection that is kept may be closed just as a client, held up for seconds, sends on it.
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
