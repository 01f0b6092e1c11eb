import fc from 'fast-check';
import { LineSplitter } from './line-splitter.ts';

const LONGEST = 8;

function linesOf(chunks: readonly Buffer[]): (string | null)[] {
  const splitter = new LineSplitter(LONGEST);
  const lines = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
  return lines.map((line) => line && line.toString('latin1'));
}

describe('LineSplitter', () => {
  it('gives the same lines for any chunks, and null for a line over the limit', () => {
    const text = fc.stringMatching(/^[ab\n]{0,60}$/);
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (whole, places) => {
        const cuts = [0, ...places.filter((place) => place < whole.length).sort((a, b) => a - b), whole.length];
        const chunks = cuts.slice(1).map((end, index) => Buffer.from(whole.slice(cuts[index], end)));
        const lines = whole.replace(/\n$/, '').split('\n');
        const expected = whole === '' ? [] : lines.map((line) => (line.length > LONGEST ? null : line));
        expect(linesOf(chunks)).toEqual(expected);
      }),
    );
  });

  it('accepts a line of exactly the limit', () => {
    expect(
      linesOf([Buffer.from('12345678\n123456789\n1234567'), Buffer.from('8\n1234567'), Buffer.from('89')]),
    ).toEqual(['12345678', null, '12345678', null]);
  });

  it('keeps the content of lines when the memory of a chunk is reused', () => {
    const splitter = new LineSplitter(LONGEST);
    const chunk = Buffer.from('ab');
    splitter.push(chunk);
    chunk.fill('x');
    const [line] = splitter.push(Buffer.from('c\nde'));
    splitter.push(Buffer.from('f\n'));
    expect(String(line)).toBe('abc');
  });
});
