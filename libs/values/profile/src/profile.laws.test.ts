import fc from 'fast-check';
import {
  applyFields,
  exceedsAttributeLimit,
  MAX_ATTRIBUTES,
  NEW_PROFILE,
  type Profile,
  type Notifications,
} from './profile.ts';

const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '10', '2', 'ä'),
  fc.integer({ min: 0, max: 90 }).map(String),
);
const changes = fc
  .array(fc.tuple(key, fc.option(fc.constantFrom('', 'v', 'w'), { freq: 3 })), { maxLength: 50 })
  .map((entries) => new Map(entries));

describe('attributes', () => {
  it('never exceed the limit, and are as requested unless that exceeds it', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 8 }), (asked) => {
        let profile = NEW_PROFILE;
        for (const attributes of asked) {
          const unlimited = applyFields(profile, { attributes });
          const limited = applyFields(profile, { attributes, attributeLimit: MAX_ATTRIBUTES });
          expect(limited.attributes.size).toBeLessThanOrEqual(MAX_ATTRIBUTES);
          if (!exceedsAttributeLimit(profile.attributes, attributes)) expect(limited).toEqual(unlimited);
          else expect(unlimited.attributes.size).toBeGreaterThan(MAX_ATTRIBUTES);
          profile = limited;
        }
      }),
    );
  });

  it('that exceed the limit already never become more', () => {
    const before = new Map(Array.from({ length: 60 }, (_, n) => [String(n), 'v']));
    fc.assert(
      fc.property(changes, (attributes) => {
        const after = applyFields(
          { ...NEW_PROFILE, attributes: before },
          { attributes, attributeLimit: 50 },
        ).attributes;
        const added = [...after.keys()].filter((name) => !before.has(name));
        expect(after.size <= MAX_ATTRIBUTES || added.length === 0).toBe(true);
        expect(after.size).toBeLessThanOrEqual(before.size);
      }),
    );
  });
});

it('a profile stays the same object exactly if no field changes a value', () => {
  const said = fc.record(
    {
      name: fc.constantFrom(null, 'Ada'),
      tz: fc.constantFrom(null, 'UTC', 'Asia/Tokyo'),
      attributes: changes,
      attributeLimit: fc.constant(MAX_ATTRIBUTES),
      subscribeToEmails: fc.constantFrom(null, true, false),
      deviceTokens: fc.constantFrom(null, [], ['a'], ['a', 'b']),
      notifications: fc.constantFrom<Notifications>(
        {},
        { recap: [] },
        { streak_reminder: ['push'], recap: ['email'] },
        { recap: ['email'] },
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(said, said, fc.boolean(), (first, second, again) => {
      const before = applyFields(NEW_PROFILE, first);
      const after = applyFields(before, again ? first : second);
      expect(after === before).toBe(JSON.stringify(entriesOf(after)) === JSON.stringify(entriesOf(before)));
    }),
  );
});

const entriesOf = ({ attributes, ...rest }: Profile) => ({ ...rest, attributes: [...attributes] });
