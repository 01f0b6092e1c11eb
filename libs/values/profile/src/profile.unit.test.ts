import { applyFields, exceedsAttributeLimit, MAX_ATTRIBUTES, NEW_PROFILE, type UserFields } from './profile.ts';

const numbered = (from: number, to: number, value: string | null = 'v') =>
  new Map(Array.from({ length: to - from + 1 }, (_, index) => [`k${from + index}`, value] as const));
const keysOf = (profile: { readonly attributes: ReadonlyMap<string, string> }) => [...profile.attributes.keys()];
const limited = (attributes: ReadonlyMap<string, string | null>): UserFields => ({
  attributes,
  attributeLimit: MAX_ATTRIBUTES,
});
const filled = (count: number) => applyFields(NEW_PROFILE, { attributes: numbered(1, count) });

describe('what a caller says of a user', () => {
  it('leaves what it does not name, and the profile itself if it names nothing', () => {
    const ada = applyFields(NEW_PROFILE, { name: 'Ada', tz: 'Asia/Tokyo', attributes: new Map([['a', '1']]) });
    expect(applyFields(ada, { email: 'ada@example.org' })).toEqual({ ...ada, email: 'ada@example.org' });
    expect(applyFields(ada, { name: null, attributes: new Map([['__proto__', 'x']]) })).toEqual({
      ...ada,
      name: null,
      attributes: new Map([
        ['a', '1'],
        ['__proto__', 'x'],
      ]),
    });
    expect(applyFields(ada, {})).toBe(ada);
  });

  it('is set back by null to what a new profile has', () => {
    const ada = applyFields(NEW_PROFILE, {
      name: 'Ada',
      tz: 'Asia/Tokyo',
      subscribeToEmails: false,
      deviceTokens: ['a', 'b'],
    });
    expect(ada).toMatchObject({ subscribeToEmails: false, deviceTokens: ['a', 'b'] });
    expect(applyFields(ada, { email: null })).toEqual(ada);
    expect(applyFields(ada, { name: null, tz: null, subscribeToEmails: null, deviceTokens: null })).toEqual(
      NEW_PROFILE,
    );
  });

  it('gives the same profile if it repeats what is known, and another if any field differs', () => {
    const ada = applyFields(NEW_PROFILE, { tz: 'UTC', deviceTokens: ['a', 'b'], attributes: new Map([['k', 'v']]) });
    for (const repeated of [
      { tz: 'UTC' },
      { tz: 'UTC', name: null, email: null, subscribeToEmails: true },
      { subscribeToEmails: null, deviceTokens: ['a', 'b'] },
      { attributes: new Map([['k', 'v']]) },
      { attributes: new Map([['unknown', null]]), attributeLimit: MAX_ATTRIBUTES },
      { attributes: new Map() },
    ])
      expect(applyFields(ada, repeated)).toBe(ada);
    for (const other of [
      { name: 'Ada' },
      { email: 'ada@example.org' },
      { tz: 'Asia/Tokyo' },
      { tz: null },
      { subscribeToEmails: false },
      { deviceTokens: ['b', 'a'] },
      { deviceTokens: ['a'] },
      { deviceTokens: null },
      { attributes: new Map([['k', 'w']]) },
      { attributes: new Map([['k', null]]) },
      { attributes: new Map([['l', 'v']]) },
    ])
      expect(applyFields(ada, other)).not.toEqual(ada);
  });

  it('gives the same profile if all that it adds exceeds the limit', () => {
    const full = filled(MAX_ATTRIBUTES);
    expect(applyFields(full, limited(numbered(51, 52)))).toBe(full);
  });

  it('removes an attribute by null, and makes room by it whatever the order', () => {
    const full = filled(MAX_ATTRIBUTES);
    const swap = new Map<string, string | null>([
      ['new', 'v'],
      ['k1', null],
    ]);
    expect(exceedsAttributeLimit(full.attributes, swap)).toBe(false);
    expect(keysOf(applyFields(full, limited(swap)))).toEqual([...numbered(2, MAX_ATTRIBUTES).keys(), 'new']);
  });

  it('exceeds the limit by the first attribute too many', () => {
    const { attributes } = filled(MAX_ATTRIBUTES - 1);
    expect(exceedsAttributeLimit(attributes, numbered(50, 50))).toBe(false);
    expect(exceedsAttributeLimit(attributes, numbered(50, 51))).toBe(true);
    expect(exceedsAttributeLimit(attributes, undefined)).toBe(false);
  });

  it('keeps the first attributes of what slips through', () => {
    const profile = applyFields(filled(45), limited(numbered(46, 60)));
    expect(keysOf(profile)).toEqual([...numbered(1, MAX_ATTRIBUTES).keys()]);
  });

  it('keeps all of them in a record that was made before there was a limit', () => {
    expect(filled(60).attributes.size).toBe(60);
  });

  it('only shrinks or replaces the attributes of a user who has too many', () => {
    const over = filled(60);
    expect(exceedsAttributeLimit(over.attributes, numbered(1, 3, 'other'))).toBe(false);
    expect(exceedsAttributeLimit(over.attributes, numbered(1, 3, null))).toBe(false);
    expect(exceedsAttributeLimit(over.attributes, numbered(60, 61))).toBe(true);
    const changed = applyFields(over, limited(new Map([...numbered(1, 3, null), ...numbered(60, 61, 'other')])));
    expect(keysOf(changed)).toEqual([...numbered(4, 60).keys()]);
    expect(changed.attributes.get('k60')).toBe('other');
  });
});
