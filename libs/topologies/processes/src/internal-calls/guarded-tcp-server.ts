import type { Socket } from 'node:net';
import type { Clock } from '@laurel/ports';
import type { LoggerService } from '@nestjs/common';
import { ServerTCP, type MessageHandler, type TcpSocket } from '@nestjs/microservices';
import { batchingSocket } from './batching-socket.ts';
import { tokenCheck } from './same-token.ts';
import { UnprovenConnections } from './unproven-connections.ts';
import { longestFrame, LONGEST_ANSWER, LONGEST_REQUEST, type Reply } from './wire.ts';

/** A logger that discards everything; otherwise any peer could fill the log with garbage. */
const SILENT: LoggerService = { log: () => undefined, warn: () => undefined, error: () => undefined };

/** The most authenticated connections. Other processes of the installation need a few dozen. */
const MOST_CONNECTIONS = 1_000;
/** Detects a peer whose machine has failed. */
const KEEP_ALIVE_MS = 60_000;
/** Refused peers that are remembered, so that each is reported only once. */
const MOST_REFUSED = 1_000;
const LONGEST_ID = 64;

export interface GuardedTcpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly clock: Clock;
  /** Called once for each IP address that calls without the token. */
  readonly onRefused: (peer: string) => void;
  /** Called for each connection that is closed because it sent no token, or because there are too many. */
  readonly onClosed: (peer: string, why: string) => void;
}

/** Nest's TCP server with a token, which is checked before anything else of a message. A peer without the token is disconnected. */
export class GuardedTcpServer extends ServerTCP {
  protected override readonly logger = SILENT;
  readonly #admits: (brought: unknown) => boolean;
  readonly #refused = new Set<string>();
  readonly #options: GuardedTcpServerOptions;
  readonly #unproven: UnprovenConnections;
  #proven = 0;

  constructor(options: GuardedTcpServerOptions) {
    const { host, port, token, clock, onClosed } = options;
    const bounds = { maxBufferSize: longestFrame(LONGEST_REQUEST), maxSendBufferSize: 4 * LONGEST_ANSWER };
    super({ host, port, socketClass: batchingSocket(bounds) });
    this.#options = options;
    this.#admits = tokenCheck(token);
    this.#unproven = new UnprovenConnections(clock, onClosed);
    this.server.on('connection', (socket: Socket) => {
      // Small answers must not wait until the peer has acknowledged earlier ones.
      socket.setNoDelay(true);
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      this.#unproven.add(socket);
    });
  }

  override async handleMessage(socket: TcpSocket, rawMessage: unknown): Promise<unknown> {
    if (!this.#admits(tokenOf(rawMessage))) return this.#refuse(socket, rawMessage);
    if (!this.#takeIn(socket.netSocket)) return undefined;
    return super.handleMessage(socket, rawMessage);
  }

  /** Nest's own look-up parses every pattern as JSON, and throws for other texts. */
  override getHandlerByPattern(pattern: string): MessageHandler | null {
    return this.messageHandlers.get(pattern) ?? null;
  }

  /** Marks a connection as authenticated, unless there are too many. */
  #takeIn(socket: Socket): boolean {
    if (!this.#unproven.remove(socket)) return !socket.destroyed;
    if (this.#proven >= MOST_CONNECTIONS) {
      this.#options.onClosed(socket.remoteAddress ?? 'unknown', `more than ${MOST_CONNECTIONS} connections`);
      socket.destroy();
      return false;
    }
    this.#proven++;
    socket.once('close', () => this.#proven--);
    return true;
  }

  #refuse(socket: TcpSocket, rawMessage: unknown): void {
    const response: Reply = { kind: 'refused' };
    socket.sendMessage({ id: idOf(rawMessage), response, isDisposed: true });
    socket.end();
    const peer = socket.netSocket.remoteAddress ?? 'unknown';
    if (this.#refused.has(peer) || this.#refused.size >= MOST_REFUSED) return;
    this.#refused.add(peer);
    this.#options.onRefused(peer);
  }
}

function tokenOf(rawMessage: unknown): unknown {
  const { metadata } = rawMessage as { readonly metadata?: unknown };
  return typeof metadata === 'object' && metadata !== null ? (metadata as { readonly token?: unknown }).token : null;
}

function idOf(rawMessage: unknown): string | null {
  const { id } = rawMessage as { readonly id?: unknown };
  return typeof id === 'string' && id.length <= LONGEST_ID ? id : null;
}
