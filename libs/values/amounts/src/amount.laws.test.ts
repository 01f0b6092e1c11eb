import fc from 'fast-check';
import { amountFromNumber, formatAmount, parseAmount, roundedAmount } from './amount.ts';

const amounts = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
/** What an event's value may be: at most six decimals, |value| ≤ 1e9. */
const values = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

describe('amounts', () => {
  it('are parsed as they were formatted', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseAmount(formatAmount(amount))).toBe(amount);
      }),
    );
  });

  it('are formatted in one shortest form, without exponent, trailing zero or negative zero', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(formatAmount(amount)).toMatch(/^(0|-?(0\.\d{0,5}[1-9]|[1-9]\d*(\.\d{0,5}[1-9])?))$/);
      }),
    );
  });

  it('are read exactly from every JSON number that a value may be', () => {
    fc.assert(
      fc.property(values, (millionths) => {
        expect(amountFromNumber(JSON.parse(formatAmount(millionths)))).toBe(millionths);
      }),
      { numRuns: 2000 },
    );
  });

  it('are read from a number only if they equal that decimal', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        const amount = amountFromNumber(value);
        if (amount !== null) expect(Number(formatAmount(amount))).toBe(value === 0 ? 0 : value);
        else expect(Number(value.toFixed(6))).not.toBe(value);
      }),
    );
  });

  it('are rounded half away from zero, by the decimal that the number is written as', () => {
    const everyValue = fc.oneof(
      fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      // Near a millionth, where a half is decided and where numbers are written with an exponent.
      fc.double({ min: -1e-5, max: 1e-5, noNaN: true }),
      // Exactly a half, as far as a decimal of that size can be written.
      fc.integer({ min: -100_000_000, max: 100_000_000 }).map((halves) => Number(`${halves}.5e-6`)),
    );
    fc.assert(
      fc.property(everyValue, (value) => {
        const [numerator, denominator] = decimalOf(value);
        const millionths = roundedAmount(value)!;
        const doubled = 2n * (magnitude(numerator) * 1_000_000n - magnitude(millionths) * denominator);
        // The magnitude lies in [millionths − ½, millionths + ½): a half goes up.
        expect(-denominator <= doubled && doubled < denominator).toBe(true);
        expect(millionths === 0n || millionths < 0n === value < 0).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('are unchanged by rounding if they have at most six decimals', () => {
    fc.assert(
      fc.property(values, (millionths) => {
        expect(roundedAmount(JSON.parse(formatAmount(millionths)))).toBe(millionths);
      }),
    );
  });

  it('are rounded the same with either sign, and keep their order', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(value, value, (one, other) => {
        const rounded = roundedAmount(one)!;
        expect(roundedAmount(-one)).toBe(-rounded);
        if (one <= other) expect(rounded <= roundedAmount(other)!).toBe(true);
      }),
    );
  });
});

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** The decimal that JavaScript writes for a number, as a fraction. Read from `toExponential`, which the code under test does not use. */
function decimalOf(value: number): readonly [numerator: bigint, denominator: bigint] {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? [digits * 10n ** BigInt(scale), 1n] : [digits, 10n ** BigInt(-scale)];
}
