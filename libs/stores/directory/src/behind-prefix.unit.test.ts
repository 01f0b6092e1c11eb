import fc from 'fast-check';
import { behindPrefix } from './behind-prefix.ts';

const inBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
const texts = fc.string({ unit: 'binary', maxLength: 4 });

describe('behindPrefix', () => {
  it.each([
    ['', null],
    ['ada', 'adb'],
    ['a\u{d7ff}', 'a\u{e000}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}\u{10ffff}', null],
  ])('returns for %j: %j', (prefix, expected) => {
    expect(behindPrefix(prefix)).toBe(expected);
  });

  it('returns the end of the range of texts that begin with the prefix', () => {
    fc.assert(
      fc.property(texts, texts, (prefix, text) => {
        const end = behindPrefix(prefix);
        const inRange = inBytes(text, prefix) >= 0 && (end === null || inBytes(text, end) < 0);
        expect(inRange).toBe(text.startsWith(prefix) && [...text].slice(0, [...prefix].length).join('') === prefix);
        expect(end === null || inBytes(prefix + text, end) < 0).toBe(true);
      }),
    );
  });
});
