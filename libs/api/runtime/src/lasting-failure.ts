import { errorCode, type Clock } from '@laurel/ports';
import type { Logger } from './logging.ts';

const COUNTED_EVERY_MS = 60_000;
/** After so long without a failure, the work has recovered. */
const RECOVERED_AFTER_MS = 120_000;
/** Ways in which one thing fails that are told apart. */
const MOST_CODES = 10;

/** Logs what is tried again and again, and fails: each reason once in full, and once a minute how often it has failed since. */
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
