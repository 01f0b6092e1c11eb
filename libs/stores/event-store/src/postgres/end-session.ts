import type { Clock } from '@laurel/ports';
import type pg from 'pg';

const END_LIMIT_MS = 2_000;

/**
 * Ends a client's session, with the locks that it holds. A server that is frozen, or cannot be reached any more, never closes its
 * side: the connection is then dropped, so a process that stops does not wait for it. Never rejects.
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
