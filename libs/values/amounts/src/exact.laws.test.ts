import fc from 'fast-check';
import {
  add,
  exactOf,
  formatMillionths,
  multiplesReached,
  multiply,
  negate,
  parseMillionths,
  smaller,
  subtract,
  type Exact,
} from './exact.ts';

/** Small ones, those around the border of the safe integers, and beyond. */
const integers = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  fc.bigInt({ min: -3n, max: 3n }).map((n) => 2n ** 53n + n),
  fc.bigInt({ min: -3n, max: 3n }).map((n) => -(2n ** 53n) + n),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
);

const hasOneForm = (value: Exact): boolean =>
  typeof value === 'number'
    ? Number.isSafeInteger(value) && !Object.is(value, -0)
    : !Number.isSafeInteger(Number(value));

const law = (calculate: (a: Exact, b: Exact) => Exact, expected: (a: bigint, b: bigint) => bigint): void =>
  fc.assert(
    fc.property(integers, integers, (a, b) => {
      const result = calculate(exactOf(a), exactOf(b));
      expect(BigInt(result)).toBe(expected(a, b));
      expect(hasOneForm(result)).toBe(true);
    }),
    { numRuns: 2_000 },
  );

describe('exact integers', () => {
  it('are added like bigints', () => {
    law(add, (a, b) => a + b);
  });
  it('are subtracted like bigints', () => {
    law(subtract, (a, b) => a - b);
  });
  it('are multiplied like bigints', () => {
    law(multiply, (a, b) => a * b);
  });
  it('are negated like bigints', () => {
    law(negate, (a) => -a);
  });
  it('are compared like bigints', () => {
    law(smaller, (a, b) => (a < b ? a : b));
  });

  it('contain a step as often as it fits into them', () => {
    const steps = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.bigInt({ min: 2n ** 53n, max: 10n ** 20n }));
    fc.assert(
      fc.property(integers, steps, (sum, step) => {
        expect(BigInt(multiplesReached(exactOf(sum), exactOf(step)))).toBe(sum > 0n ? sum / step : 0n);
      }),
      { numRuns: 2_000 },
    );
  });

  it('contain a step exactly at its multiples, however large the quotient', () => {
    const pairs = fc.tuple(fc.integer({ min: 1, max: 2 ** 26 }), fc.integer({ min: 1, max: 2 ** 26 }));
    fc.assert(
      fc.property(pairs, ([step, times]) => {
        expect(multiplesReached(step * times, step)).toBe(times);
        expect(multiplesReached(step * times - 1, step)).toBe(times - 1);
      }),
    );
  });

  it('are formatted as decimals of millionths, and parsed back', () => {
    fc.assert(
      fc.property(integers, (millionths) => {
        const text = formatMillionths(exactOf(millionths));
        const [whole = '', fraction = ''] = text.split('.');
        expect(BigInt(`${whole}${fraction.padEnd(6, '0')}`)).toBe(millionths);
        expect(fraction).not.toMatch(/0$/);
        expect(parseMillionths(text)).toBe(exactOf(millionths));
        expect(hasOneForm(parseMillionths(text))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['', '-', '1.', '.5', '1e3', '0.1234567', ' 1', '1,5'])('cannot be parsed from %j', (text) => {
    expect(() => parseMillionths(text)).toThrow(RangeError);
  });

  it('have no negative zero', () => {
    expect(Object.is(multiply(0, -5), 0)).toBe(true);
    expect(Object.is(negate(0), 0)).toBe(true);
    expect(Object.is(parseMillionths('-0'), 0)).toBe(true);
  });
});
