import { once } from 'node:events';
import { connect } from 'node:net';

/** `silent`: there is no socket, or a dead process left it behind. */
export type SocketState = 'answers' | 'forbidden' | 'silent';

/**
 * sun_path holds 108 bytes with the final zero on Linux, 104 on macOS. A longer path would be truncated, and name
 * another file.
 */
const LONGEST_PATH = process.platform === 'darwin' ? 103 : 107;

/** Whether somebody listens on a Unix socket. */
export async function probeSocket(path: string): Promise<SocketState> {
  if (Buffer.byteLength(path) > LONGEST_PATH) return 'silent';
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
