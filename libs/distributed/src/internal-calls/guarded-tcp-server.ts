import type { LoggerService } from '@nestjs/common';
import { ServerTCP, type MessageHandler, type TcpSocket } from '@nestjs/microservices';
import { tokenCheck } from './same-token.ts';
import { longestFrame, LONGEST_ANSWER, LONGEST_QUESTION, type Reply } from './wire.ts';

/** Whoever reaches the port could fill the log with what is no message. */
const SILENT: LoggerService = { log: () => undefined, warn: () => undefined, error: () => undefined };

/** Only connections of other processes of the same installation: some dozens, and some of them twice. */
const MOST_CONNECTIONS = 1_000;
/** Peers that are remembered as told of. */
const MOST_REFUSED = 1_000;
const LONGEST_ID = 64;

/** Nest's TCP server behind a token: nothing of a message is looked at before it, and a peer without it is sent away. */
export class GuardedTcpServer extends ServerTCP {
  protected override readonly logger = SILENT;
  readonly #admits: (brought: unknown) => boolean;
  readonly #refused = new Set<string>();
  readonly #onRefused: (peer: string) => void;

  /** @param onRefused called once for each peer (its IP address) that comes without the token. */
  constructor(host: string, port: number, token: string, onRefused: (peer: string) => void) {
    super({ host, port, maxBufferSize: longestFrame(LONGEST_QUESTION), maxSendBufferSize: 4 * LONGEST_ANSWER });
    this.#admits = tokenCheck(token);
    this.#onRefused = onRefused;
    this.server.maxConnections = MOST_CONNECTIONS;
    // Small answers are not to wait until the peer has acknowledged those before them.
    this.server.on('connection', (socket) => socket.setNoDelay(true));
  }

  override async handleMessage(socket: TcpSocket, rawMessage: unknown): Promise<unknown> {
    if (!this.#admits(tokenOf(rawMessage))) return this.#refuse(socket, rawMessage);
    return super.handleMessage(socket, rawMessage);
  }

  /** Nest's own look-up parses every pattern as JSON first, and throws inside when it is none. */
  override getHandlerByPattern(pattern: string): MessageHandler | null {
    return this.messageHandlers.get(pattern) ?? null;
  }

  #refuse(socket: TcpSocket, rawMessage: unknown): void {
    const response: Reply = { kind: 'refused' };
    socket.sendMessage({ id: idOf(rawMessage), response, isDisposed: true });
    socket.end();
    const peer = socket.netSocket.remoteAddress ?? 'unknown';
    if (this.#refused.has(peer) || this.#refused.size >= MOST_REFUSED) return;
    this.#refused.add(peer);
    this.#onRefused(peer);
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
