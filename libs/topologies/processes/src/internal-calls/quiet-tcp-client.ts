import { ClientTCP, type TcpSocket } from '@nestjs/microservices';
import { batchingSocket } from './batching-socket.ts';
import { longestFrame, LONGEST_ANSWER, LONGEST_REQUEST, type Endpoint } from './wire.ts';

/** Nest's TCP client for one connection. It sends the token, and leaves the handling of a lost connection to its owner. */
export class QuietTcpClient extends ClientTCP {
  readonly #onClosed: () => void;

  constructor({ host, port }: Endpoint, token: string, onClosed: () => void) {
    const bounds = { maxBufferSize: longestFrame(LONGEST_ANSWER), maxSendBufferSize: 64 * LONGEST_REQUEST };
    super({ host, port, socketClass: batchingSocket(bounds) });
    this.#onClosed = onClosed;
    this.setOnDispatchHook((packet) => {
      packet.metadata = { token };
    });
  }

  override createSocket(): TcpSocket {
    const socket = super.createSocket();
    // Small requests must not wait until the peer has acknowledged earlier ones.
    socket.netSocket.setNoDelay(true);
    return socket;
  }

  override handleClose(): void {
    super.handleClose();
    this.#onClosed();
  }

  /** The caller gets the error. Nest would also log an unreadable answer with its whole content. */
  override handleError(): void {
    return;
  }

  /** Closes at once, also while connecting. */
  destroy(): void {
    const socket = this.socket?.netSocket;
    this.close();
    socket?.destroy();
  }
}
