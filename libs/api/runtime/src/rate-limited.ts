import type { Clock } from '@laurel/ports';

/**
 * Passes on the first value at once, then at most one in each `everyMs`: for a log line that every request of an outage would
 * repeat. `leftOut`: how many were dropped since the last one that was passed on.
 */
export function rateLimited<T>(
  clock: Pick<Clock, 'elapsedMs'>,
  everyMs: number,
  passOn: (value: T, leftOut: number) => void,
): (value: T) => void {
  let lastMs = -Infinity;
  let leftOut = 0;
  return (value) => {
    const nowMs = clock.elapsedMs();
    if (nowMs - lastMs < everyMs) {
      leftOut++;
      return;
    }
    lastMs = nowMs;
    passOn(value, leftOut);
    leftOut = 0;
  };
}
