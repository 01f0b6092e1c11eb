import fc from 'fast-check';
import { ExactNumber, jsonAmount, jsonInteger, writeJson } from './write-json.ts';
import { readJson } from './read-json.ts';

const numbers = fc.oneof(fc.bigInt().map(jsonInteger), fc.bigInt().map(jsonAmount), fc.double({ noNaN: true }));
const strings = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'n1', 's', '12345678901234567890.5', '":12345678901234567890,"', '\\"', '\u0000'),
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(numbers, strings, fc.constantFrom(null, true, false)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(strings, tie('value'), { maxKeys: 4 }),
  ),
}));

describe('readJson', () => {
  it('reads what writeJson wrote, so that it can be written again with the same digits', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = writeJson(value);
        expect(writeJson(readJson(text))).toBe(text);
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads everything except exact numbers like JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), strings, (value, key) => {
        const text = `{"exact":12345678901234567890.5,"like":[${JSON.stringify(key)}],"value":${JSON.stringify(value)}}`;
        expect(readJson(text)).toEqual({ ...JSON.parse(text), exact: new ExactNumber('12345678901234567890.5') });
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads a number as a plain one if a double holds it, however many digits it has', () => {
    expect(readJson('[9007199254740991,9007199254740993,0.30000000000000004,-9007199254740993.000001]')).toEqual([
      ...[9007199254740991, new ExactNumber('9007199254740993'), 0.30000000000000004],
      new ExactNumber('-9007199254740993.000001'),
    ]);
  });

  it('refuses text that is not JSON', () => {
    expect(() => readJson('{"total":12345678901234567890')).toThrow(SyntaxError);
  });
});
