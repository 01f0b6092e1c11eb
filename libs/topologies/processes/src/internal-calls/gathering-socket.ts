import type { Socket } from 'node:net';
import { JsonSocket, type TcpSocket } from '@nestjs/microservices';

interface Bounds {
  /** In bytes, of one message that comes in. */
  readonly maxBufferSize: number;
  /** In bytes, of what the peer has not taken yet. */
  readonly maxSendBufferSize: number;
}

/**
 * Nest's socket, which hands all messages of one turn of the event loop to the operating system at once. The answers to a batch
 * are ready together, and a call of the operating system costs more than most of them.
 */
export const gatheringSocket = (bounds: Bounds): new (socket: Socket) => TcpSocket =>
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
