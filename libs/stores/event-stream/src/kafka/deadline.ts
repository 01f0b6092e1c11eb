import type { Clock } from '@laurel/ports';

/** Resolves or rejects like `work`, but rejects with `tooLate` after `limitMs`. The work itself continues. */
export async function within<T>(clock: Clock, limitMs: number, tooLate: string, work: Promise<T>): Promise<T> {
  let cancel = (): void => undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(limitMs, () => reject(new StreamUnavailableError(tooLate)));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel();
  }
}

/** The brokers did not answer in time. */
export class StreamUnavailableError extends Error {
  override readonly name = 'StreamUnavailableError';
}
