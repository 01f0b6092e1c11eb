import type { Socket } from 'node:net';
import { JsonSocket, type TcpSocket } from '@nestjs/microservices';

interface Bounds {
  /** The most bytes of an incoming message. */
  readonly maxBufferSize: number;
  /** The most bytes that the peer has not received yet. */
  readonly maxSendBufferSize: number;
}

/**
 * Nest's socket, which writes all messages of one event loop tick by one system call. The answers to a batch are ready together, and a system
 * call costs more than most of them.
 */
export const batchingSocket = (bounds: Bounds): new (socket: Socket) => TcpSocket =>
  class extends JsonSocket {
    constructor(socket: Socket) {
      super(socket, bounds);
    }

    protected override handleSend(message: unknown, callback?: (error?: unknown) => void): void {
      const socket = this.netSocket as Socket;
      if (socket.writableCorked === 0) {
        socket.cork();
        process.nextTick(() => socket.uncork());
      }
      super.handleSend(message, callback);
    }
  };
