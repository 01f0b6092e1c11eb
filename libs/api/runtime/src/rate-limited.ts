import type { Clock } from '@laurel/ports';

/**
 * Passes on the first value at once, and then at most one per `everyMs`: for a log line that every request during an
 * outage would repeat. `leftOut` is the number of values dropped since the last one.
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
