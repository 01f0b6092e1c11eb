import fc from 'fast-check';
import { isDeeperThan } from './json-depth.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const nested = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : levels % 2 === 0 ? [nested(levels - 1, inner)] : { 'a"]}': nested(levels - 1, inner) };

describe('the depth of a JSON text', () => {
  it('equals the nesting of its arrays and objects, whatever its strings contain', () => {
    const text = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'é', '\u{1f600}'), maxLength: 20 });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        text,
        fc.integer(),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, fc.nat(8), (json, most) => {
        expect(isDeeperThan(most, bytes(json))).toBe(depthOf(json) > most);
      }),
      { numRuns: 3_000 },
    );
  });

  it('may reach the limit, and not one level more', () => {
    expect(isDeeperThan(64, bytes(nested(64, '[[['.repeat(100))))).toBe(false);
    expect(isDeeperThan(64, bytes(nested(65, 1)))).toBe(true);
    expect(isDeeperThan(64, bytes(Array.from({ length: 1_000 }, () => nested(63, []))))).toBe(true);
    expect(isDeeperThan(64, bytes(Array.from({ length: 1_000 }, () => nested(63, 1))))).toBe(false);
  });

  it('is computed for text that is not JSON, too', () => {
    for (const text of ['"'.repeat(65), '\\'.repeat(65), `${'"'.padEnd(70, 'x')}\\`, ']'.repeat(200)])
      expect(isDeeperThan(64, Buffer.from(text))).toBe(false);
  });
});
