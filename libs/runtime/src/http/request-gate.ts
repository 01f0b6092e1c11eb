import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** What a server takes at once (specification, section 2.1); no request that can wait is refused for it. */
export interface HttpLimits {
  /** TCP connections; one more is closed as soon as it is accepted. */
  readonly connections: number;
  /** Pipelined requests of one connection that are worked on together; those behind them wait, and nothing more is read. */
  readonly requestsPerConnection: number;
  /** Requests that wait so, on all connections together, each about 3 KB; beyond, a connection that has its share is ended. */
  readonly waitingRequests: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  connections: 4_000,
  requestsPerConnection: 8,
  waitingRequests: 20_000,
};

/** Bounds the requests in progress of each connection, so that none can fill the memory by sending without reading. */
export class RequestGate {
  readonly #limits: HttpLimits;
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #total = { waiting: 0 };

  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  /** Requests that wait for others of their connection. */
  get waiting(): number {
    return this.#total.waiting;
  }

  /** Hands requests on to `handle`, those of one connection a few at a time and in their order. */
  before(handle: RequestHandler): RequestHandler {
    return (request, response) => this.#lineOf(request.socket, handle).take(request, response);
  }

  #lineOf(socket: Socket, handle: RequestHandler): Line {
    const known = this.#lines.get(socket);
    if (known !== undefined) return known;
    const line = new Line(socket, handle, this.#limits, this.#total);
    this.#lines.set(socket, line);
    return line;
  }
}

/** The requests of one connection. While some wait, as many as allowed are in progress. */
class Line {
  readonly #socket: Socket;
  readonly #handle: RequestHandler;
  readonly #limits: HttpLimits;
  readonly #total: { waiting: number };
  readonly #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  #inProgress = 0;

  constructor(socket: Socket, handle: RequestHandler, limits: HttpLimits, total: { waiting: number }) {
    this.#socket = socket;
    this.#handle = handle;
    this.#limits = limits;
    this.#total = total;
    // Node resumes the socket by itself whenever a request of it has been read.
    socket.on('resume', () => this.#waiting.length > 0 && socket.pause());
    socket.once('close', () => this.#forget());
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    // What was read together with a request that ended the connection is still parsed.
    if (this.#socket.destroyed) return;
    const { requestsPerConnection, waitingRequests } = this.#limits;
    if (this.#inProgress < requestsPerConnection) return this.#begin(request, response);
    const hasItsShare = this.#waiting.length >= requestsPerConnection;
    if (this.#total.waiting >= waitingRequests && hasItsShare) return void this.#socket.destroy();
    this.#waiting.push([request, response]);
    this.#total.waiting++;
    this.#socket.pause();
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    this.#inProgress++;
    response.once('close', this.#ended);
    this.#handle(request, response);
  }

  /** The answer is with the system, or the connection is gone. */
  readonly #ended = (): void => {
    this.#inProgress--;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#total.waiting--;
    if (this.#waiting.length === 0) this.#socket.resume();
    this.#begin(...next);
  };

  #forget(): void {
    this.#total.waiting -= this.#waiting.length;
    this.#waiting.length = 0;
  }
}
