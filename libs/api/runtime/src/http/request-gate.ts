import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../environment/http-limits.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Most pipelined requests begun in one turn of the event loop, on all connections together. */
const STARTED_PER_TICK = 64;

/**
 * Limits the running requests of each connection, so that none can fill the memory by sending without reading. Waiting
 * requests are begun a few per turn of the event loop, in rotation over the connections, so that requests of other
 * clients come in between.
 */
export class RequestGate {
  readonly #limits: HttpLimits;
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #queue: Queue = { waiting: 0, offer: (line) => this.#offer(line) };
  /** Connections that may begin a request, in order. */
  readonly #ready: Line[] = [];
  #turnIsComing = false;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  /** Passes requests to `handle`, a few of each connection at a time, in order. */
  before(handle: RequestHandler): RequestHandler {
    return (request, response) => this.#lineOf(request.socket, handle).take(request, response);
  }

  #offer(line: Line): void {
    this.#ready.push(line);
    this.#askForTurn();
  }

  #askForTurn(): void {
    if (this.#turnIsComing || this.#ready.length === 0) return;
    this.#turnIsComing = true;
    setImmediate(() => {
      const lines = this.#ready.splice(0, STARTED_PER_TICK);
      for (const line of lines) line.beginNext();
      this.#turnIsComing = false;
      this.#askForTurn();
    });
  }

  #lineOf(socket: Socket, handle: RequestHandler): Line {
    const known = this.#lines.get(socket);
    if (known !== undefined) return known;
    const line = new Line(socket, handle, this.#limits, this.#queue);
    this.#lines.set(socket, line);
    return line;
  }
}

/** State that the connections share. */
interface Queue {
  waiting: number;
  /** Requests a turn in which one more request of this connection is begun. */
  readonly offer: (line: Line) => void;
}

/** The requests of one connection. Nearly all clients send one at a time, which begins at once. */
class Line {
  readonly #socket: Socket;
  readonly #handle: RequestHandler;
  readonly #limits: HttpLimits;
  readonly #queue: Queue;
  readonly #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  #inProgress = 0;
  #isOffered = false;

  constructor(socket: Socket, handle: RequestHandler, limits: HttpLimits, queue: Queue) {
    this.#socket = socket;
    this.#handle = handle;
    this.#limits = limits;
    this.#queue = queue;
    // Node resumes the socket whenever it has read a request from it, so pause it again.
    socket.on('resume', () => this.#waiting.length > 0 && socket.pause());
    socket.once('close', () => this.#forget());
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    // Bytes that were read together with the last request of a connection are still parsed.
    if (this.#socket.destroyed) return;
    if (this.#inProgress === 0 && this.#waiting.length === 0) return this.#begin(request, response);
    const { requestsPerConnection, waitingRequests } = this.#limits;
    const hasItsShare = this.#waiting.length >= requestsPerConnection;
    if (this.#queue.waiting >= waitingRequests && hasItsShare) return void this.#socket.destroy();
    this.#waiting.push([request, response]);
    this.#queue.waiting++;
    this.#socket.pause();
    this.#offer();
  }

  beginNext(): void {
    this.#isOffered = false;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#queue.waiting--;
    if (this.#socket.destroyed) return;
    if (this.#waiting.length === 0) this.#socket.resume();
    this.#begin(...next);
    this.#offer();
  }

  #offer(): void {
    const mayBegin = this.#waiting.length > 0 && this.#inProgress < this.#limits.requestsPerConnection;
    if (this.#isOffered || !mayBegin) return;
    this.#isOffered = true;
    this.#queue.offer(this);
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    this.#inProgress++;
    response.once('close', this.#ended);
    this.#handle(request, response);
  }

  /** The answer is passed to the system, or the connection is closed. */
  readonly #ended = (): void => {
    this.#inProgress--;
    this.#offer();
  };

  #forget(): void {
    this.#queue.waiting -= this.#waiting.length;
    this.#waiting.length = 0;
  }
}
