import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { z } from 'zod';
import { compiledSchema } from './compiled-schema.ts';
import {
  batchItem,
  completeAchievementRequest,
  identifyRequest,
  metricEventRequest,
  userUpdateRequest,
} from './requests.ts';

const SCHEMAS = { metricEventRequest, batchItem, identifyRequest, userUpdateRequest, completeAchievementRequest };

const ODD = fc.constantFrom(null, undefined, 0, '', ' ', 'a\0', '\ud800', [], {}, true, NaN);
const WORDS = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('.', '..', 'a@b', '🙂'.repeat(256)));
const GOOD_WORDS = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('🙂'.repeat(255), ' a '));
const KEYS = fc.constantFrom('__proto__', 'constructor', '10', '2', 'plan');

/** Bodies of all requests at once: none minds the fields of another. `odd`: each field may be wrong. */
function bodiesOf(odd: boolean): fc.Arbitrary<unknown> {
  const perhapsOdd = (usual: fc.Arbitrary<unknown>) =>
    odd ? fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: ODD }) : usual;
  const words = perhapsOdd(odd ? WORDS : GOOD_WORDS);
  const attributes = perhapsOdd(fc.dictionary(KEYS, words));
  const fields = {
    name: words,
    email: perhapsOdd(fc.constantFrom('ada@example.org', ...(odd ? ['ada'] : []))),
    tz: perhapsOdd(fc.constantFrom('Europe/Berlin', 'UTC', ...(odd ? ['Mars/Base'] : []))),
    subscribeToEmails: perhapsOdd(fc.boolean()),
    deviceTokens: perhapsOdd(fc.array(words, { maxLength: odd ? 22 : 20 })),
    attributes,
  };
  const id = odd ? words : fc.constantFrom('u', '🙂'.repeat(255));
  const event = {
    user: perhapsOdd(fc.record({ id, ...fields }, { requiredKeys: odd ? [] : ['id'] })),
    id,
    value: perhapsOdd(fc.oneof(fc.integer({ min: -1e9, max: 1e9 }), fc.double({ min: -1e9, max: 1e9, noNaN: true }))),
  };
  const others = {
    idempotencyKey: words,
    timestamp: odd ? fc.constantFrom('2026-01-31T12:00:00Z', 'now') : fc.constant(null),
  };
  return fc.record(
    { ...event, ...fields, ...others, unknown: fc.anything() },
    { requiredKeys: odd ? [] : ['user', 'id', 'value'] },
  );
}

const BODIES = fc.oneof(
  { weight: 10, arbitrary: bodiesOf(false) },
  { weight: 10, arbitrary: bodiesOf(true) },
  { weight: 1, arbitrary: fc.anything() },
);

describe('a compiled schema', () => {
  it.each(Object.entries(SCHEMAS))('gives the same result as the schema for any body: %s', async (_, schema) => {
    let accepted = 0;
    await assertCovering(
      fc.property(BODIES, (body) => {
        const [expected, found] = [schema.safeParse(body), compiledSchema(schema).safeParse(body)];
        if (expected.success) accepted++;
        expect(found.success).toBe(expected.success);
        expect(found.data).toStrictEqual(expected.data);
        expect(found.error?.issues).toStrictEqual(expected.error?.issues);
      }),
      { numRuns: 1_000 },
      () => ({ accepted: accepted > 100 }),
    );
  });

  it.each(Object.entries(SCHEMAS))('is really compiled: %s', (_, schema) => {
    expect(() => z.compile(schema, { strict: true })).not.toThrow();
    expect(compiledSchema(schema)).not.toBe(schema);
    expect(compiledSchema(schema)).toBe(compiledSchema(schema));
  });
});
