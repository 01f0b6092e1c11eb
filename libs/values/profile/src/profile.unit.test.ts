import { applyFields, exceedsAttributeLimit, MAX_ATTRIBUTES, NEW_PROFILE, type UserFields } from './profile.ts';

const numbered = (from: number, to: number, value: string | null = 'v') =>
  new Map(Array.from({ length: to - from + 1 }, (_, index) => [`k${from + index}`, value] as const));
const keysOf = (profile: { readonly attributes: ReadonlyMap<string, string> }) => [...profile.attributes.keys()];
const limited = (attributes: ReadonlyMap<string, string | null>): UserFields => ({
  attributes,
  attributeLimit: MAX_ATTRIBUTES,
});
const filled = (count: number) => applyFields(NEW_PROFILE, { attributes: numbered(1, count) });

describe('applyFields', () => {
  it('keeps fields that are not given, and returns the same profile if none is', () => {
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

  it('resets fields to those of a new profile if they are null', () => {
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

  it('returns the same profile for known values, and another one if any field differs', () => {
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

  it('returns the same profile if everything added exceeds the limit', () => {
    const full = filled(MAX_ATTRIBUTES);
    expect(applyFields(full, limited(numbered(51, 52)))).toBe(full);
  });

  it('removes an attribute given as null, which makes room whatever the order', () => {
    const full = filled(MAX_ATTRIBUTES);
    const swap = new Map<string, string | null>([
      ['new', 'v'],
      ['k1', null],
    ]);
    expect(exceedsAttributeLimit(full.attributes, swap)).toBe(false);
    expect(keysOf(applyFields(full, limited(swap)))).toEqual([...numbered(2, MAX_ATTRIBUTES).keys(), 'new']);
  });

  it('finds the limit exceeded from the first attribute too many', () => {
    const { attributes } = filled(MAX_ATTRIBUTES - 1);
    expect(exceedsAttributeLimit(attributes, numbered(50, 50))).toBe(false);
    expect(exceedsAttributeLimit(attributes, numbered(50, 51))).toBe(true);
    expect(exceedsAttributeLimit(attributes, undefined)).toBe(false);
  });

  it('keeps only the first attributes up to the limit if concurrent changes exceed it', () => {
    const profile = applyFields(filled(45), limited(numbered(46, 60)));
    expect(keysOf(profile)).toEqual([...numbered(1, MAX_ATTRIBUTES).keys()]);
  });

  it('keeps all attributes of an event recorded before the limit existed', () => {
    expect(filled(60).attributes.size).toBe(60);
  });

  it('only removes or replaces attributes of a user who has too many', () => {
    const over = filled(60);
    expect(exceedsAttributeLimit(over.attributes, numbered(1, 3, 'other'))).toBe(false);
    expect(exceedsAttributeLimit(over.attributes, numbered(1, 3, null))).toBe(false);
    expect(exceedsAttributeLimit(over.attributes, numbered(60, 61))).toBe(true);
    const changed = applyFields(over, limited(new Map([...numbered(1, 3, null), ...numbered(60, 61, 'other')])));
    expect(keysOf(changed)).toEqual([...numbered(4, 60).keys()]);
    expect(changed.attributes.get('k60')).toBe('other');
  });
});
