/**
 * A bucket that holds the tokens of one minute, and refills evenly: within any time T, at most `perMinute` × (1 + T / 1
 * min) are taken. Its content is counted in shares: a token is 60,000 shares, and each millisecond adds `perMinute`. So
 * all numbers are integers below 2⁵³, without rounding.
 */
export interface Bucket {
  /** 0 to 60,000 × perMinute, as of `atMs`. */
  readonly shares: number;
  readonly atMs: number;
}

const MINUTE_MS = 60_000;
const TOKEN = MINUTE_MS;

/** A bucket that was not used for this long is full. */
export const FULL_AFTER_MS = MINUTE_MS;

export const fullBucket = (perMinute: number, nowMs: number): Bucket => ({ shares: perMinute * TOKEN, atMs: nowMs });

/** The bucket at `nowMs` (whole milliseconds, not before the bucket's). */
export function refilled({ shares, atMs }: Bucket, perMinute: number, nowMs: number): Bucket {
  const waitedMs = Math.min(nowMs - atMs, FULL_AFTER_MS);
  return { shares: Math.min(shares + waitedMs * perMinute, perMinute * TOKEN), atMs: nowMs };
}

/** The bucket after taking a token, or null if it has no whole token. */
export function withdrawn({ shares, atMs }: Bucket): Bucket | null {
  return shares < TOKEN ? null : { shares: shares - TOKEN, atMs };
}

export const tokensIn = ({ shares }: Bucket): number => Math.floor(shares / TOKEN);

/** Milliseconds until a token can be taken. */
export const msUntilToken = ({ shares }: Bucket, perMinute: number): number =>
  Math.ceil(Math.max(0, TOKEN - shares) / perMinute);

export const msUntilFull = ({ shares }: Bucket, perMinute: number): number =>
  Math.ceil((perMinute * TOKEN - shares) / perMinute);
