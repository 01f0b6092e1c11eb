import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../environment/http-limits.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Pipelined requests that are begun in one turn of the event loop, on all connections together. */
const STARTED_PER_TICK = 64;

/**
 * Bounds the requests in progress of each connection, so that none can fill the memory by sending without reading. Requests that
 * had to wait are begun a few in each turn of the event loop, one of each connection after the other, so that those of everybody
 * else come in between.
 */
export class RequestGate {
  readonly #limits: HttpLimits;
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #queue: Queue = { waiting: 0, offer: (line) => this.#offer(line) };
  /** Connections that may begin a request, in their order. */
  readonly #ready: Line[] = [];
  #turnIsComing = false;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  /** Passes requests to `handle`: a few of each connection at a time, in their order. */
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
  /** Asks for a turn in which one more request of this connection is begun. */
  readonly offer: (line: Line) => void;
}

/** The requests of one connection. Nearly all clients send one at a time; it begins at once. */
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
    // Node resumes the socket by itself whenever a request of it has been read.
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

  /** The answer is with the system, or the connection is gone. */
  readonly #ended = (): void => {
    this.#inProgress--;
    this.#offer();
  };

  #forget(): void {
    this.#queue.waiting -= this.#waiting.length;
    this.#waiting.length = 0;
  }
}
