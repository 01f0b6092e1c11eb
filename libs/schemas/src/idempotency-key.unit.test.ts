import fc from 'fast-check';
import { earlierReadings, idempotencyKeyIn, isIdempotencyKey, quotedContent } from './idempotency-key.ts';

const keys = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => !/[\0\p{Surrogate}]/u.test(text));
const blanks = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 5 });

describe('an idempotency key', () => {
  it('has no spaces and tabs around it, and keeps all others and those within', () => {
    expect(idempotencyKeyIn('\t a b\u00a0 ')).toBe('a b\u00a0');
    expect(idempotencyKeyIn(' \t ')).toBe('');
    expect(idempotencyKeyIn(`${' '.repeat(100_000)}k${'\t'.repeat(100_000)}`)).toBe('k');
  });

  it('is the same whatever blanks are written around it', () => {
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

describe('a header in quotes', () => {
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
  ])('means its content: %s', (header, content) => {
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
  ])('that is no string of RFC 9651 is taken as it is written: %s', (header) => {
    expect(quotedContent(header)).toBeNull();
  });

  it('gives back every text that was written as such a string', () => {
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

describe('what earlier releases may have recorded', () => {
  it('is the key itself for plain ASCII', () => {
    for (const key of ['k', 'lesson-42', 'a b', '~!']) expect(earlierReadings(key)).toEqual([]);
  });

  it('is the UTF-8 of the key read as Latin-1', () => {
    expect(earlierReadings('schlüssel')).toEqual(['schlÃ¼ssel']);
    expect(earlierReadings('四')).toEqual([Buffer.from([0xe5, 0x9b, 0x9b]).toString('latin1')]);
  });

  it('is the key with its blanks, which a batch kept', () => {
    expect(earlierReadings(' k')).toEqual([' k']);
    expect(earlierReadings('ü ')).toEqual(['ü ', 'Ã¼']);
  });

  it('is never what no release took: a text of more than 255 characters', () => {
    expect(earlierReadings('🙂'.repeat(100))).toEqual([]);
    expect(earlierReadings(` ${'k'.repeat(255)}`)).toEqual([]);
  });

  it('holds every reading of a header and of a batch that is not the key', () => {
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
