import type { Clock } from '@laurel/ports';
import { NoAnswerError } from './append-errors.ts';

/** A read of the client. */
export interface Reading {
  on(event: 'data', listener: (item: { readonly event?: unknown }) => void): this;
  on(event: 'end', listener: () => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  cancel(): Promise<void>;
}

/**
 * Collects all events of a read. In the client, a read has no time limit, and a cancelled read neither ends nor fails.
 * @param limitMs the longest pause
 */
export function collect<E>(read: Reading, clock: Clock, limitMs: number): Promise<readonly E[]> {
  return new Promise((resolve, reject) => {
    const events: E[] = [];
    let heardAtMs = clock.elapsedMs();
    const watch = (delayMs: number) =>
      clock.after(delayMs, () => {
        const leftMs = heardAtMs + limitMs - clock.elapsedMs();
        if (leftMs > 0) return void (cancelTimer = watch(leftMs));
        reject(new NoAnswerError(limitMs, true));
        read.cancel().catch(() => undefined);
      });
    let cancelTimer = watch(limitMs);
    read.on('data', ({ event }) => {
      heardAtMs = clock.elapsedMs();
      if (event !== undefined) events.push(event as E);
    });
    read.on('end', () => {
      cancelTimer();
      resolve(events);
    });
    read.on('error', (error) => {
      cancelTimer();
      reject(error);
    });
  });
}
