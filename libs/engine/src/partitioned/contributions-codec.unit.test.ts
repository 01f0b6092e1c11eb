import type { Contributions } from '@laurel/kernel';
import fc from 'fast-check';
import { decodeContributions, encodeContributions } from './contributions-codec.ts';

const exact = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 100n }),
  fc.bigInt({ min: -(2n ** 100n), max: -(2n ** 53n) }),
);

const anyContributions: fc.Arbitrary<Contributions> = fc.record({
  account: fc.string({ unit: 'binary' }),
  configurationVersion: fc.nat(),
  subject: fc.maxSafeNat(),
  position: fc.maxSafeNat(),
  recordedAt: fc.option(fc.maxSafeInteger()),
  changes: fc.array(
    fc.record({
      board: fc.nat(),
      run: fc.integer(),
      change: exact,
      sets: fc.boolean(),
      at: fc.maxSafeInteger(),
      ordinal: fc.nat(),
      due: fc.boolean(),
    }),
  ),
  answer: fc.option(fc.record({ eventId: fc.string({ unit: 'binary' }), day: fc.integer() })),
});

const awaited: Contributions = {
  account: 'default',
  configurationVersion: 12,
  subject: 279_199_768_985_790,
  position: 31_415_926,
  recordedAt: null,
  changes: [{ board: 3, run: 20_464, change: 1_000_000, sets: false, at: 1_768_046_400_123, ordinal: 0, due: false }],
  answer: { eventId: '019ba7c5-9e00-7000-8000-000000000001', day: 20_463 },
};

const text = encodeContributions(awaited);

describe('encoded contributions', () => {
  it('are decoded unchanged', () => {
    fc.assert(
      fc.property(anyContributions, (contributions) => {
        expect(decodeContributions(encodeContributions(contributions))).toEqual(contributions);
      }),
    );
  });

  it('take about 80 to 130 bytes', () => {
    expect(Buffer.byteLength(encodeContributions({ ...awaited, answer: null }))).toBe(79);
    expect(Buffer.byteLength(text)).toBe(126);
    const [one] = awaited.changes;
    const two = encodeContributions({ ...awaited, changes: [...awaited.changes, one as never] });
    expect(Buffer.byteLength(two) - Buffer.byteLength(text)).toBe(38);
    const late = encodeContributions({ ...awaited, answer: null, recordedAt: 1_768_046_400_123 });
    expect(Buffer.byteLength(late)).toBe(98);
  });

  it.each([
    ['{}', 'the contributions cannot be {}'],
    ['["default",1,2,3]', 'the contributions cannot be ["default",1,2,3]'],
    [text.replace('"default"', '7'), 'the account cannot be 7'],
    [text.replace('31415926', '0.5'), 'the position cannot be 0.5'],
    [text.replace('31415926', 'null'), 'the position cannot be null'],
    [text.replace('[[3,', '[[3,3,'), 'a change cannot be [3,3,20464,1000000,0,1768046400123,0,0]'],
    [text.replace('1000000', '"1.5"'), 'the change cannot be "1.5"'],
    [text.replace('1000000', '9007199254740992'), 'the change cannot be 9007199254740992'],
    [text.replace(',0,1768', ',2,1768'), 'sets cannot be 2'],
    [text.replace(',20463]', ']'), 'the answer cannot be ["019ba7c5-9e00-7000-8000-000000000001"]'],
  ])('are refused with the name of the damaged field: %s', (damaged, message) => {
    expect(() => decodeContributions(damaged)).toThrow(message);
  });
});
