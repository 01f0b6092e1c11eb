import { errorCode, type Clock } from '@laurel/ports';
import type { Logger } from './logging.ts';

const COUNTED_EVERY_MS = 60_000;
/** After this long without a failure, the work counts as recovered. */
const RECOVERED_AFTER_MS = 120_000;
/** Most kinds of failures that are distinguished. */
const MOST_CODES = 10;

/**
 * Logs the failures of work that is retried: each reason once in full, and then once a minute with the number of
 * failures since.
 */
export function lastingFailure(
  logger: Pick<Logger, 'warn'>,
  clock: Pick<Clock, 'elapsedMs'>,
  message: string,
): (error: unknown) => void {
  const known = new Set<string>();
  let failures = 0;
  let failedAtMs = -Infinity;
  let loggedAtMs = -Infinity;
  return (err) => {
    const nowMs = clock.elapsedMs();
    if (nowMs - failedAtMs > RECOVERED_AFTER_MS) {
      known.clear();
      failures = 0;
    }
    failedAtMs = nowMs;
    failures++;
    const reason = errorCode(err) ?? (err instanceof Error ? err.message : String(err));
    const isNew = !known.has(reason) && known.size < MOST_CODES;
    if (!isNew && nowMs - loggedAtMs < COUNTED_EVERY_MS) return;
    loggedAtMs = nowMs;
    if (isNew) {
      known.add(reason);
      logger.warn({ err }, message);
    } else logger.warn({ failures, reason }, message);
  };
}
