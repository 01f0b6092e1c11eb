import { createHash } from 'node:crypto';
import { parseInstant, type Instant } from '@laurel/calendar';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The delays between attempts, as Standard Webhooks recommends: ten attempts in all, over a little more than three
 * days.
 */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
export const MOST_ATTEMPTS = DELAYS_MS.length + 1;

/** The share by which delays vary, so that deliveries that failed together are not retried together. */
const SPREAD = 0.2;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** An endpoint is disabled after this long without a success. */
export const MOST_FAILING_MS = 5 * 24 * HOUR_MS;

export interface FailedAttempt {
  readonly endpoint: string;
  readonly outcome: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly failedAt: Instant;
  /** The delay that the receiver asked for, or null. */
  readonly retryAfterMs: number | null;
}

/**
 * When to retry a failed delivery, never before the receiver allows it; null to give it up. Deterministic for an
 * attempt.
 *
 * @param scale multiplies delays; 1 except in tests
 */
export function nextAttemptAt(failed: FailedAttempt, scale = 1): Instant | null {
  const delayMs = DELAYS_MS[failed.attempt - 1];
  if (delayMs === undefined) return null;
  const wantedMs = Math.min(failed.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  return failed.failedAt + Math.round(scale * Math.max(delayMs * spreadOf(failed), wantedMs));
}

/** A factor from 0.8 to 1.2. */
function spreadOf({ endpoint, outcome, attempt }: FailedAttempt): number {
  const drawn = createHash('sha256').update(`${endpoint} ${outcome} ${attempt}`).digest().readUInt32BE();
  return 1 + SPREAD * ((2 * drawn) / 0xffff_ffff - 1);
}

/** The delay in a `Retry-After` header, in milliseconds, or null if the header is missing or invalid. */
export function retryAfterOf(header: string | null, now: Instant): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : (parseInstant(text) ?? Number.NaN);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
