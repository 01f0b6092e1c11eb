import { MOST_ATTEMPTS, nextAttemptAt, retryAfterOf, type FailedAttempt } from './retry-schedule.ts';

const NOW = Date.UTC(2026, 0, 1);
const HOURS = 3_600_000;

const failed = (attempt: number, more: Partial<FailedAttempt> = {}): FailedAttempt => ({
  ...{ endpoint: 'e', outcome: 'o', attempt, failedAt: NOW, retryAfterMs: null },
  ...more,
});
const delayOf = (attempt: FailedAttempt, scale?: number): number => (nextAttemptAt(attempt, scale) ?? NaN) - NOW;

describe('the retry schedule', () => {
  it('follows Standard Webhooks with a variation of a fifth, and gives up after ten attempts', () => {
    const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(MOST_ATTEMPTS).toBe(10);
    for (const [index, wanted] of seconds.entries()) {
      const delays = Array.from({ length: 200 }, (_, n) => delayOf(failed(index + 1, { outcome: `o${n}` })) / 1_000);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(0.8 * wanted);
      expect(Math.max(...delays)).toBeLessThanOrEqual(1.2 * wanted);
      expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(0.3 * wanted);
    }
    expect(nextAttemptAt(failed(10))).toBeNull();
  });

  it('gives the same time for the same attempt, and another for another', () => {
    expect(nextAttemptAt(failed(3))).toBe(nextAttemptAt(failed(3)));
    expect(nextAttemptAt(failed(3, { endpoint: 'f' }))).not.toBe(nextAttemptAt(failed(3)));
  });

  it('waits as long as the receiver asks, but at most a day', () => {
    expect(delayOf(failed(1, { retryAfterMs: 90_000 }))).toBe(90_000);
    expect(delayOf(failed(1, { retryAfterMs: 999 * HOURS }))).toBe(24 * HOURS);
    expect(delayOf(failed(2, { retryAfterMs: 1_000 }))).toBe(delayOf(failed(2)));
    expect(nextAttemptAt(failed(10, { retryAfterMs: 1_000 }))).toBeNull();
  });

  it('is faster in tests', () => expect(delayOf(failed(1, { retryAfterMs: 60_000 }), 0.001)).toBe(60));

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', null],
    ['-1', null],
    [null, null],
  ])('reads Retry-After: %s as %s ms', (header, wanted) => expect(retryAfterOf(header, NOW)).toBe(wanted));
});
