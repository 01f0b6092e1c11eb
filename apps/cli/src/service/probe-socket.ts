import { once } from 'node:events';
import { connect } from 'node:net';

/** `silent`: there is none, or one that a process left behind when it died. */
export type SocketState = 'answers' | 'forbidden' | 'silent';

/** Whether somebody listens on a Unix socket. */
export async function probeSocket(path: string): Promise<SocketState> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return 'answers';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? 'forbidden' : 'silent';
  } finally {
    socket.destroy();
  }
}
