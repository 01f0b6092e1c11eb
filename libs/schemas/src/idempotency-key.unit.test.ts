import fc from 'fast-check';
import { earlierReadings, idempotencyKeyIn, isIdempotencyKey, quotedContent } from './idempotency-key.ts';

const keys = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => !/[\0\p{Surrogate}]/u.test(text));
const blanks = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 5 });

describe('an idempotency key', () => {
  it('loses spaces and tabs around it, and keeps all others', () => {
    expect(idempotencyKeyIn('\t a b\u00a0 ')).toBe('a b\u00a0');
    expect(idempotencyKeyIn(' \t ')).toBe('');
    expect(idempotencyKeyIn(`${' '.repeat(100_000)}k${'\t'.repeat(100_000)}`)).toBe('k');
  });

  it('is the same whatever spaces and tabs surround it', () => {
    fc.assert(
      fc.property(blanks, keys, blanks, (before, key, after) => {
        expect(idempotencyKeyIn(before + key + after)).toBe(idempotencyKeyIn(key));
      }),
    );
  });

  it('has 1 to 255 code points that can be stored', () => {
    expect(['', '🙂'.repeat(255), '🙂'.repeat(256), 'a\0', '\ud800'].map(isIdempotencyKey)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('quotedContent', () => {
  it.each([
    ['"k"', 'k'],
    [' \t"k" ', 'k'],
    ['"a b"', 'a b'],
    ['""', ''],
    ['" "', ' '],
    ['"schlüssel 🙂"', 'schlüssel 🙂'],
    [String.raw`"a\"b"`, 'a"b'],
    [String.raw`"a\\b"`, String.raw`a\b`],
    [String.raw`"\\\""`, String.raw`\"`],
  ])('returns the content: %s', (header, content) => {
    expect(quotedContent(header)).toBe(content);
  });

  it.each([
    'k',
    '"',
    '"k',
    'k"',
    '"a"b"',
    String.raw`"a\x"`,
    String.raw`"a\"`,
    '"a\tb"',
    '"a\u007f"',
    '"a", "b"',
    "'k'",
    '"a";b',
  ])('returns null for text that is not a string of RFC 9651: %s', (header) => {
    expect(quotedContent(header)).toBeNull();
  });

  it('returns every text that was quoted', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text)),
        (text) => {
          expect(quotedContent(`"${text.replace(/["\\]/g, String.raw`\$&`)}"`)).toBe(text);
        },
      ),
    );
  });
});

describe('earlierReadings', () => {
  it('returns nothing for plain ASCII keys', () => {
    for (const key of ['k', 'lesson-42', 'a b', '~!']) expect(earlierReadings(key)).toEqual([]);
  });

  it('returns the UTF-8 of the key read as Latin-1', () => {
    expect(earlierReadings('schlüssel')).toEqual(['schlÃ¼ssel']);
    expect(earlierReadings('四')).toEqual([Buffer.from([0xe5, 0x9b, 0x9b]).toString('latin1')]);
  });

  it('returns the key with the spaces that a batch kept', () => {
    expect(earlierReadings(' k')).toEqual([' k']);
    expect(earlierReadings('ü ')).toEqual(['ü ', 'Ã¼']);
  });

  it('omits texts of more than 255 characters, which no release accepted', () => {
    expect(earlierReadings('🙂'.repeat(100))).toEqual([]);
    expect(earlierReadings(` ${'k'.repeat(255)}`)).toEqual([]);
  });

  it('returns every reading by a header or batch that differs from the key', () => {
    fc.assert(
      fc.property(blanks, keys, (before, text) => {
        const written = before + text;
        const key = idempotencyKeyIn(written);
        const readings = [written, Buffer.from(key).toString('latin1')].filter(isIdempotencyKey);
        expect(new Set([key, ...earlierReadings(written)])).toEqual(new Set([key, ...readings]));
      }),
    );
  });
});
