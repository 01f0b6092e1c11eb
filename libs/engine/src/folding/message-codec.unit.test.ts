import { jest } from '@jest/globals';
import fc from 'fast-check';
import { decodeExact, encodeExact } from './message-codec.ts';

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.bigInt()),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc
      .array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', '$map', '$bigint')), tie('value')), {
        maxLength: 4,
      })
      .map((entries) => new Map(entries)),
  ),
}));

describe('the message codec', () => {
  it('decodes exactly what was encoded, and does not change it', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const before = structuredClone(value);
        expect(decodeExact(encodeExact(deepFrozen(value)))).toEqual(before);
        expect(value).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  it('passes values that JSON can represent without copying them', () => {
    const plain = { name: 'a', list: [1, { two: 2 }] };
    const stringify = jest.spyOn(JSON, 'stringify');
    encodeExact(plain);
    expect(stringify.mock.calls[0]?.[0]).toBe(plain);
    stringify.mockRestore();
  });
});

function deepFrozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of value instanceof Map ? value.values() : Object.values(value)) deepFrozen(child);
  return Object.freeze(value);
}
