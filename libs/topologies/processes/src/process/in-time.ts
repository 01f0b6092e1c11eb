import type { Clock } from '@laurel/ports';

/** Resolves or rejects like `answer`, but resolves with null after `limitMs`. */
export function inTime<T>(clock: Clock, limitMs: number, answer: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limitMs, () => resolve(null));
    answer.then(resolve, reject).finally(cancel);
  });
}
