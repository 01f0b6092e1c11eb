import { UNITS, ZERO, amountFromNumber, formatAmount, parseAmount, roundedAmount } from './amount.ts';
import { multiplesReached, parseMillionths } from './exact.ts';

describe('amountFromNumber', () => {
  it.each([
    [0, 0n],
    [-0, 0n],
    [1, 1_000_000n],
    [0.1, 100_000n],
    [0.000001, 1n],
    [-0.000001, -1n],
    [1e-6, 1n],
    [123456.789012, 123_456_789_012n],
    [1e9, 1_000_000_000_000_000n],
    [-1e9, -1_000_000_000_000_000n],
    [999_999_999.999999, 999_999_999_999_999n],
    [-999_999_999.999999, -999_999_999_999_999n],
  ])('converts %d exactly', (value, amount) => {
    expect(amountFromNumber(value)).toBe(amount);
  });

  it.each([0.0000001, 1.0000001, -0.1234567, 1e-7, 5e-324, 0.1 + 0.2, 1 / 3])(
    'refuses %d, which has more than six decimals',
    (value) => {
      expect(amountFromNumber(value)).toBeNull();
    },
  );

  it.each([Number.NaN, Infinity, -Infinity, 1e300, 1e16])(
    'refuses %d, for which a double is not exact to a millionth',
    (value) => {
      expect(amountFromNumber(value)).toBeNull();
    },
  );
});

describe('roundedAmount', () => {
  it.each([
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.333333'],
    [2 / 3, '0.666667'],
    [0.0000005, '0.000001'],
    [-0.0000005, '-0.000001'],
    [0.0000004999999999999999, '0'],
    [0.1234565, '0.123457'],
    [-0.1234565, '-0.123457'],
    [1.0000005, '1.000001'],
    [8.0000015, '8.000002'],
    [4.35, '4.35'],
    [1.005, '1.005'],
    [999_999_999.9999999, '1000000000'],
    [5e-324, '0'],
    [-1e-300, '0'],
    [1e16, '10000000000000000'],
    [1.5e21, '1500000000000000000000'],
    [-0, '0'],
    [7, '7'],
  ])('rounds %d to %s', (value, written) => {
    expect(formatAmount(roundedAmount(value)!)).toBe(written);
  });

  it.each([Number.NaN, Infinity, -Infinity])('refuses %d', (value) => {
    expect(roundedAmount(value)).toBeNull();
  });
});

describe('sums of amounts', () => {
  it('make 0.1 + 0.2 equal 0.3', () => {
    expect(formatAmount(amountFromNumber(0.1)! + amountFromNumber(0.2)!)).toBe('0.3');
  });

  it('are exact far beyond the precision of a double', () => {
    const total = 1_000_000n * parseAmount('999999999.999999') + parseAmount('0.000001');
    expect(formatAmount(total)).toBe('999999999999999.000001');
    expect(formatAmount(parseAmount('12345678901234567890123456789.000001'))).toBe(
      '12345678901234567890123456789.000001',
    );
  });
});

describe('formatAmount', () => {
  it.each([
    [ZERO, '0'],
    [UNITS, '1'],
    [-UNITS, '-1'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [300_000n, '0.3'],
    [12_000_000n, '12'],
    [10_000_000_000n, '10000'],
    [1_500_000n, '1.5'],
    [-100_100n, '-0.1001'],
  ])('writes %d millionths as %s, digit by digit', (amount, text) => {
    expect(formatAmount(amount)).toBe(text);
  });
});

describe('parseAmount', () => {
  it.each([
    ['1.50', 1_500_000n],
    ['1.000000', 1_000_000n],
    ['-0', 0n],
    ['007', 7_000_000n],
  ])('reads %s', (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  it.each(['', '-', '.5', '1.', '1.0000001', '1e3', '+1', ' 1', '1\n', '1,5', '0x10', 'NaN', 'Infinity', '--1', '١'])(
    'refuses %j',
    (text) => {
      expect(() => parseAmount(text)).toThrow(RangeError);
    },
  );
});

describe('multiplesReached', () => {
  const reached = (sum: string, threshold: string) =>
    multiplesReached(parseMillionths(sum), parseMillionths(threshold));

  it('counts the whole multiples of a threshold', () => {
    expect(['0', '2.999999', '3', '5.9', '6', '9.1'].map((sum) => reached(sum, '3'))).toEqual([0, 0, 1, 1, 2, 3]);
  });

  it('counts the multiples of a decimal threshold exactly', () => {
    expect(reached('0.3', '0.1')).toBe(3);
    expect(reached('0.299999', '0.1')).toBe(2);
  });

  it('counts none for a negative sum', () => {
    expect(reached('-3', '1')).toBe(0);
    expect(reached('-0.5', '1')).toBe(0);
  });
});
