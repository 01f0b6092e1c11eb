import fc from 'fast-check';
import { formatAmount, parseAmount } from '@laurel/amounts';
import { ExactNumber, jsonAmount, jsonInteger, writeJson } from './write-json.ts';

const amounts = fc.oneof(
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
  fc.bigInt({ min: -2_000_000n, max: 2_000_000n }),
);
const keys = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '10', '2'));

describe('writeJson', () => {
  it('writes every amount with exactly its digits', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const text = writeJson(jsonAmount(amount));
        expect(text).toBe(formatAmount(amount));
        expect(parseAmount(text)).toBe(amount);
      }),
      { numRuns: 20_000 },
    );
  });

  it('is exact on both sides of the limit between plain and exact numbers', () => {
    const border = 2n ** 33n * 1_000_000n;
    for (const edge of [border, -border, 2n ** 53n, -(2n ** 53n)]) {
      for (let delta = -3n; delta <= 3n; delta++) {
        expect(writeJson(jsonAmount(edge + delta))).toBe(formatAmount(edge + delta));
        expect(writeJson(jsonInteger(edge + delta))).toBe(String(edge + delta));
      }
    }
  });

  it('writes the smallest amounts without an exponent and whole ones without a fraction', () => {
    expect([1n, -1n, 300_000n, 12_000_000n, 0n].map((amount) => writeJson(jsonAmount(amount)))).toEqual([
      '0.000001',
      '-0.000001',
      '0.3',
      '12',
      '0',
    ]);
  });

  it('writes points of any size digit by digit', () => {
    fc.assert(fc.property(fc.bigInt(), (points) => writeJson(jsonInteger(points)) === String(points)));
  });

  it('writes the same as JSON.stringify, apart from exact numbers', () => {
    const document = fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(document, keys, (value, key) => {
        const inside = Object.fromEntries([
          [key, value],
          ['left out', undefined],
        ]);
        const exact = writeJson([new ExactNumber('12345678901234567890.5'), inside, undefined]);
        expect(exact).toBe(`[12345678901234567890.5,${JSON.stringify(inside)},null]`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('makes JSON.stringify refuse an exact number', () => {
    expect(() => JSON.stringify({ total: new ExactNumber('1') })).toThrow('writeJson');
  });
});
