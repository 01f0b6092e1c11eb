import fc from 'fast-check';
import { amountFromNumber, formatAmount, parseAmount, timesReached } from './amount.ts';

const amounts = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
/** What an event's value may be: at most six decimals, |value| ≤ 1e9. */
const values = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

describe('amounts', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseAmount(formatAmount(amount))).toBe(amount);
      }),
    );
  });

  it('are written in the one shortest form: no exponent, no trailing zero, no negative zero', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(formatAmount(amount)).toMatch(/^(0|-?(0\.\d{0,5}[1-9]|[1-9]\d*(\.\d{0,5}[1-9])?))$/);
      }),
    );
  });

  it('are taken exactly from every JSON number that a value may be', () => {
    fc.assert(
      fc.property(values, (millionths) => {
        expect(amountFromNumber(JSON.parse(formatAmount(millionths)))).toBe(millionths);
      }),
      { numRuns: 2000 },
    );
  });

  it('are taken from a number only if it is that decimal', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        const amount = amountFromNumber(value);
        if (amount !== null) expect(Number(formatAmount(amount))).toBe(value === 0 ? 0 : value);
        else expect(Number(value.toFixed(6))).not.toBe(value);
      }),
    );
  });

  it('reach a threshold as often as it fits in', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 18n }), (sum, threshold) => {
        const times = timesReached(sum, threshold);
        expect(times >= 0n).toBe(true);
        if (sum > 0n) expect(times * threshold <= sum && sum < (times + 1n) * threshold).toBe(true);
        else expect(times).toBe(0n);
      }),
    );
  });
});
