import type { Socket } from 'node:net';
import type { CancelTimer, Clock } from '@laurel/ports';

/** A peer sends the token with its first call, at once after connecting. */
const TOKEN_WITHIN_MS = 10_000;
/** Twice the accept queue of the system, so that many new connections at once push out no peer whose call is in flight. */
const MOST_CONNECTIONS = 1_024;
/** The most bytes that all of these connections together may have sent; a first call may be long. */
const MOST_BYTES = 64 * 1024 * 1024;

interface Waiting {
  readonly cancel: CancelTimer;
  received: number;
}

/**
 * Connections that have not sent the token yet. They have a timeout and a limit: beyond the limit, the oldest is closed, so that silent peers
 * keep nobody out. Beyond the limit of bytes, the connection that has sent the most is closed.
 */
export class UnprovenConnections {
  readonly #clock: Clock;
  readonly #onClosed: (peer: string, why: string) => void;
  /** Oldest first. */
  readonly #waiting = new Map<Socket, Waiting>();
  #received = 0;

  /** @param onClosed called for each connection that is closed because it has not sent the token */
  constructor(clock: Clock, onClosed: (peer: string, why: string) => void) {
    this.#clock = clock;
    this.#onClosed = onClosed;
  }

  add(socket: Socket): void {
    const cancel = this.#clock.after(TOKEN_WITHIN_MS, () =>
      this.#close(socket, `no token within ${TOKEN_WITHIN_MS / 1_000} s`),
    );
    this.#waiting.set(socket, { cancel, received: 0 });
    socket.on('data', (data: Buffer) => this.#count(socket, data.length));
    socket.once('close', () => this.remove(socket));
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MOST_CONNECTIONS && oldest)
      this.#close(oldest, `more than ${MOST_CONNECTIONS} connections without a token`);
  }

  /** Removes a connection. Returns whether it was among the connections without the token. */
  remove(socket: Socket): boolean {
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) return false;
    waiting.cancel();
    this.#received -= waiting.received;
    return this.#waiting.delete(socket);
  }

  #count(socket: Socket, bytes: number): void {
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) return;
    waiting.received += bytes;
    this.#received += bytes;
    if (this.#received > MOST_BYTES)
      this.#close(this.#largest(socket), `more than ${MOST_BYTES} bytes without a token`);
  }

  #largest(first: Socket): Socket {
    const received = (socket: Socket): number => this.#waiting.get(socket)?.received ?? 0;
    return [...this.#waiting.keys()].reduce((most, one) => (received(one) > received(most) ? one : most), first);
  }

  #close(socket: Socket, why: string): void {
    const peer = socket.remoteAddress ?? 'unknown';
    this.remove(socket);
    socket.destroy();
    this.#onClosed(peer, why);
  }
}
