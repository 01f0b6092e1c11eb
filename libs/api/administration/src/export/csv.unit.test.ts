import { jsonAmount } from '@laurel/schemas';
import { parseAmount } from '@laurel/amounts';
import fc from 'fast-check';
import { csvHeader, csvLine } from './csv.ts';

const one = (value: unknown): string => csvLine(['value'], { value }).slice(0, -2);

describe('csvLine', () => {
  it('orders fields by the columns and ends with CRLF', () => {
    const columns = ['b', 'a', 'missing'];
    expect(csvHeader(columns) + csvLine(columns, { a: 1, b: 'x', c: 'not asked for' })).toBe('b,a,missing\r\nx,1,\r\n');
  });

  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' blank ', '" blank "'],
    [null, ''],
    [true, 'true'],
    [-12, '-12'],
    [jsonAmount(parseAmount('-0.5')), '-0.5'],
    [{ 'a"b': '=1' }, '"{""a\\""b"":""=1""}"'],
  ])('writes %j as %s', (value, text) => {
    expect(one(value)).toBe(text);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['=cmd|"/c calc"!A1', '"\'=cmd|""/c calc""!A1"'],
    ['+49 30', "'+49 30"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['  =1', "'  =1"],
    ['\uFF1D1', "'\uFF1D1"],
  ])('keeps a spreadsheet from taking %j for a formula', (value, text) => {
    expect(one(value)).toBe(text);
  });

  it('gives back every value when it is parsed, and never starts a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 4 }), (values) => {
        const columns = values.map((_, place) => `c${place}`);
        const row = Object.fromEntries(values.map((value, place) => [`c${place}`, value]));
        const read = readLine(csvLine(columns, row));
        expect(read.map((text, place) => (text === `'${values[place]}` ? values[place] : text))).toEqual(values);
        for (const text of read) expect(text).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});

/** A reader of its own, by the grammar of RFC 4180. */
function readLine(line: string): string[] {
  expect(line.endsWith('\r\n')).toBe(true);
  const fields: string[] = [];
  let rest = line.slice(0, -2);
  for (;;) {
    const [whole, inQuotes, bare = ''] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?=,|$)/.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`not RFC 4180: ${JSON.stringify(rest)}`);
    fields.push(inQuotes === undefined ? bare : inQuotes.replaceAll('""', '"'));
    if (whole.length === rest.length) return fields;
    rest = rest.slice(whole.length + 1);
  }
}
