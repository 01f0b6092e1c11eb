import fc from 'fast-check';
import { COMPLETE_DOCUMENT } from '../complete-document.test-data.ts';
import { DEMO_CONFIGURATION } from '../demo-configuration.ts';
import { formatDocument } from './format-document.ts';
import { parseDocument } from './parse-document.ts';
import { sameDocument } from './same-document.ts';

/** What YAML might take for something else, and what a terminal might obey. */
const awkward = fc.constantFrom(
  ...[
    'yes',
    'null',
    '~',
    '1',
    '0x1f',
    '1e3',
    '2026-01-01',
    '- a',
    'a: b',
    '# a',
    '"',
    "'",
    '`',
    '@',
    '*a',
    '&a',
    '!a',
    '%',
  ],
  ...[
    '',
    ' ',
    ' a ',
    'a\n',
    '\n a',
    'a\n\n\nb  \n',
    '\ta',
    'a\r\nb',
    '---',
    '...',
    '<<',
    '{',
    '[a]',
    '|',
    '>',
    '?',
    ',',
    'a #b',
  ],
  ...[
    '\u001b[2J',
    '\u009b',
    '\u0085',
    '\u2028',
    '\u202eabc',
    '\ufeff',
    '\u{e0041}',
    '\u{f0000}',
    '\ue000',
    '\u007f',
    '😀',
  ],
);
const text = fc
  .oneof(
    awkward,
    fc.tuple(awkward, awkward).map(([a, b]) => a + b),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  )
  .map((all) => all.replaceAll('\0', ''));
const name = text.map((all) => (all === '' ? '.' : all));
const key = fc.constantFrom('__proto__', '10', '2', 'null', 'true', '-', '_', '1e3', 'a', '0x1', '---');

const document = fc.record({
  version: fc.constant(1),
  metrics: fc.uniqueArray(fc.record({ key, name }), { selector: (one) => one.key, minLength: 1, maxLength: 3 }),
  achievements: fc.uniqueArray(
    fc.record({ key, name, description: fc.option(text), trigger: fc.constant({ type: 'api' as const }) }),
    { selector: (one) => one.key, maxLength: 3 },
  ),
});

const read = (yaml: string) => {
  const { document, problems } = parseDocument(yaml, 'app.yaml');
  if (document === undefined) throw new Error(JSON.stringify({ problems, yaml }));
  return document;
};

describe('formatDocument', () => {
  it('writes YAML that parses to the same document', () => {
    fc.assert(
      fc.property(document, (given) => {
        expect(sameDocument(read(formatDocument(given)), given)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every field of the complete and the demo document', () => {
    for (const text of [COMPLETE_DOCUMENT, DEMO_CONFIGURATION]) {
      const given = read(text);
      expect(sameDocument(read(formatDocument(given)), given)).toBe(true);
    }
  });

  it.each([0.000001, 0.1, 1e15, Number.MAX_SAFE_INTEGER])('keeps the amount %p', (threshold) => {
    const given = {
      version: 1,
      metrics: [{ key: 'a', name: 'A' }],
      streak: { frequency: 'daily', conditions: [{ metric: 'a', threshold }] },
    };
    expect(sameDocument(read(formatDocument(given)), given)).toBe(true);
  });

  it('writes no control or formatting characters except newlines', () => {
    fc.assert(
      fc.property(document, (given) => {
        expect(formatDocument(given)).toMatch(/^(?:[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]|\n)*$/u);
      }),
      { numRuns: 500 },
    );
  });
});
