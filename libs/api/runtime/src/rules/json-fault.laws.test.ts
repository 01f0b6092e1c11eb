import fc from 'fast-check';
import { jsonFault } from './json-fault.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('jsonFault', () => {
  const chunk = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"a":',
      '\\',
      '\\u12',
      '\\n',
      'true',
      'nul',
      'null',
      '-',
      '0',
      '01',
      '1e',
      '1e5',
      '.5',
      '1.5',
    ],
    ...[' ', '\n', '\r\n', '\t', '\0', 'é', '\u2028', "'", '//', 'NaN', '\ufeff'],
  );

  it('returns a position for exactly those texts that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
        const text = chunks.join('');
        expect([text, jsonFault(text) === null]).toEqual([text, isJson(text)]);
      }),
      { numRuns: 20_000 },
    );
  });

  it('returns a position exactly when one removed, replaced or added character broke the text', () => {
    const edit = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', 'x', '\\', '\n'),
      fc.integer({ min: 0, max: 1 }),
    );
    fc.assert(
      fc.property(edit, ([json, at, inserted, removed]) => {
        const place = at % (json.length + 1);
        const text = json.slice(0, place) + inserted + json.slice(place + removed);
        const fault = jsonFault(text);
        expect([text, fault === null]).toEqual([text, isJson(text)]);
        if (fault === null) return;
        const lines = text.split('\n');
        expect(fault.line).toBeLessThanOrEqual(lines.length);
        expect(fault.column).toBeLessThanOrEqual((lines[fault.line - 1] ?? '').length + 1);
      }),
      { numRuns: 5_000 },
    );
  });

  it('works on a text nested deeper than the call stack', () => {
    const deep = '['.repeat(200_000);
    expect(jsonFault(deep)).toMatchObject({ line: 1, column: 200_001, found: 'the end of the body' });
    expect(jsonFault(deep + ']'.repeat(200_000))).toBeNull();
  });
});
