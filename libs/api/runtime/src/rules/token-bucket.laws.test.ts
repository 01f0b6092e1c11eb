import fc from 'fast-check';
import { type Bucket, fullBucket, msUntilFull, msUntilToken, refilled, tokensIn, withdrawn } from './token-bucket.ts';

const perMinute = fc.integer({ min: 1, max: 1_000_000 });
const waits = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 90_000 })), {
  maxLength: 300,
});

/** The instants at which a request was let through, of requests that come after these waits. */
function taken(rate: number, gaps: readonly number[]): number[] {
  let bucket = fullBucket(rate, 0);
  const instants: number[] = [];
  for (const gap of gaps) {
    bucket = refilled(bucket, rate, bucket.atMs + gap);
    const less = withdrawn(bucket);
    if (less !== null) instants.push(less.atMs);
    bucket = less ?? bucket;
  }
  return instants;
}

/** A bucket in any state, often an almost empty one. */
const bucket = perMinute.chain((rate) =>
  fc.tuple(
    fc.constant(rate),
    fc.record<Bucket>({
      shares: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: rate * 60_000 })),
      atMs: fc.integer({ min: 0, max: 1e12 }),
    }),
  ),
);

describe('a token bucket', () => {
  it('never grants more than one minute of tokens plus those added since', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), waits, (rate, gaps) => {
        const instants = taken(rate, gaps);
        for (let first = 0; first < instants.length; first++)
          for (let last = first; last < instants.length; last++) {
            const count = last - first + 1;
            const spanMs = instants[last]! - instants[first]!;
            expect(count * 60_000).toBeLessThanOrEqual(rate * (60_000 + spanMs));
          }
      }),
    );
  });

  it('admits everybody who comes no faster than the rate', () => {
    fc.assert(
      fc.property(perMinute, fc.integer({ min: 1, max: 200 }), (rate, requests) => {
        const pace = Math.ceil(60_000 / rate);
        expect(
          taken(
            rate,
            Array.from({ length: requests }, () => pace),
          ),
        ).toHaveLength(requests);
      }),
    );
  });

  it('grants a full minute of tokens after a minute without a request', () => {
    fc.assert(
      fc.property(bucket, ([rate, used]) => {
        const rested = refilled(used, rate, used.atMs + 60_000);
        expect(rested).toEqual(fullBucket(rate, rested.atMs));
        expect(tokensIn(rested)).toBe(rate);
      }),
    );
  });

  it('refills the same in one step as in many', () => {
    fc.assert(
      fc.property(
        bucket,
        fc.integer({ min: 0, max: 70_000 }),
        fc.integer({ min: 0, max: 70_000 }),
        ([rate, used], a, b) => {
          const once = refilled(used, rate, used.atMs + a + b);
          expect(refilled(refilled(used, rate, used.atMs + a), rate, used.atMs + a + b)).toEqual(once);
          expect(Number.isSafeInteger(once.shares)).toBe(true);
        },
      ),
    );
  });

  it('says to the millisecond when the next token is available and when it is full', () => {
    fc.assert(
      fc.property(bucket, ([rate, used]) => {
        const after = (ms: number) => refilled(used, rate, used.atMs + ms);
        const next = msUntilToken(used, rate);
        expect(withdrawn(after(next))).not.toBeNull();
        if (next > 0) expect(withdrawn(after(next - 1))).toBeNull();
        const full = msUntilFull(used, rate);
        expect(tokensIn(after(full))).toBe(rate);
        if (full > 0) expect(after(full - 1).shares).toBeLessThan(after(full).shares);
      }),
    );
  });
});
