import { exactOf } from '@laurel/amounts';
import fc from 'fast-check';
import { isMark, markOf, markOfTotal } from './total-marks.ts';

const totals = fc.oneof(
  fc.bigInt({ min: 0n, max: 20_000n }),
  fc.bigInt({ min: 0n, max: 10n ** 30n }),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 1_100n }), fc.nat({ max: 25 }), fc.bigInt({ min: -1n, max: 1n }))
    .map(([digits, zeros, beside]) => digits * 10n ** BigInt(zeros) + (digits === 0n ? 0n : beside)),
);

describe('the mark of a total', () => {
  it('is the lowest total that is counted together with it', () => {
    expect([0n, 7n, 999n, 1_000n, 1_001n, 1_009n, 1_010n, 12_345n, 12_300n].map(markOf)).toEqual(
      [0n, 7n, 999n, 1_000n, 1_001n, 1_001n, 1_010n, 12_301n, 12_300n], // prettier-ignore
    );
  });

  it('is the same whether the total is a number or a bigint', () => {
    fc.assert(
      fc.property(totals, (total) => expect(markOfTotal(exactOf(total))).toBe(exactOf(markOf(total)))),
      { numRuns: 2_000 },
    );
  });

  it('reaches a bound that is a mark exactly if the total reaches it', () => {
    fc.assert(
      fc.property(totals, totals, (total, near) => {
        const bound = markOf(near);
        expect(isMark(bound)).toBe(true);
        expect(markOf(total) >= bound).toBe(total >= bound);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never above the total, and preserves the order of totals', () => {
    fc.assert(
      fc.property(totals, totals, (one, other) => {
        expect(markOf(one)).toBeLessThanOrEqual(one);
        if (one <= other) expect(markOf(one)).toBeLessThanOrEqual(markOf(other));
      }),
    );
  });

  it('equals any bound of up to three digits and zeros, and the first total of any range', () => {
    const digits = fc.bigInt({ min: 1n, max: 999n });
    fc.assert(
      fc.property(digits, fc.nat({ max: 25 }), (first, zeros) => {
        const round = first * 10n ** BigInt(zeros);
        expect([isMark(round), isMark(round + 1n)]).toEqual([true, true]);
      }),
    );
    expect(isMark(1_234n)).toBe(false);
  });
});
