import type { Clock } from '@laurel/ports';
import type pg from 'pg';

const END_LIMIT_MS = 2_000;

/**
 * Ends a client's session with its locks. If the server does not close its side in time, the connection is dropped, so that a stopping process
 * does not wait for a frozen or unreachable server. Never rejects.
 */
export function endSession(client: pg.Client, clock: Pick<Clock, 'after'>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(END_LIMIT_MS, () => {
      client.connection.stream.destroy();
      resolve();
    });
    const ended = (): void => {
      cancel();
      resolve();
    };
    client.end().then(ended, ended);
  });
}
