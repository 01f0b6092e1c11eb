import fc from 'fast-check';
import { batchItem, metricEventRequest } from './requests.ts';

const event = (value: unknown, user: object = { id: 'u' }) => metricEventRequest.safeParse({ user, value });
const valueOf = (number: number) => event(number).data?.value;

describe('a metric event request', () => {
  it('accepts every value within the limits with at most six decimals, exactly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
        fc.integer({ min: 0, max: 999_999 }),
        (whole, millionths) => {
          const amount = BigInt(whole) * 1_000_000n + (whole < 0 ? -1n : 1n) * BigInt(millionths);
          const number = Number(`${whole}.${String(millionths).padStart(6, '0')}`);
          const within = amount <= 10n ** 15n && amount >= -(10n ** 15n);
          expect(valueOf(number)).toBe(within ? amount : undefined);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('rounds further decimals half away from zero', () => {
    expect([0.1 + 0.2, 1e-7, 5e-7, -5e-7, 0.1234565, 999_999_999.9999999].map(valueOf)).toEqual([
      300_000n,
      0n,
      1n,
      -1n,
      123_457n,
      10n ** 15n,
    ]);
  });

  it('refuses values that are not numbers, and those out of bounds before rounding', () => {
    for (const value of [NaN, Infinity, '1', null, undefined, [], 1e9 + 0.0000004])
      expect(event(value).success).toBe(false);
  });

  it('counts the characters of a user id as code points', () => {
    expect(event(1, { id: '🙂'.repeat(255) }).success).toBe(true);
    expect(event(1, { id: '🙂'.repeat(256) }).success).toBe(false);
  });

  it('keeps accepted text unchanged, and refuses text that cannot be stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (id, name) => {
        const { data } = event(1, { id, name });
        const storable = (text: string) => !/[\0\p{Surrogate}]/u.test(text);
        if (data) expect([data.user.id, data.user.name, storable(id), storable(name)]).toEqual([id, name, true, true]);
      }),
    );
    expect(event(1, { id: 'a\ud800' }).success).toBe(false);
  });

  it('reads attributes as data, whatever their keys', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('__proto__', 'constructor', 'toString', '10', '2', 'a'),
          fc.string({ unit: 'grapheme' }),
        ),
        (attributes) => {
          const parsed = metricEventRequest.parse({ user: { id: 'u', attributes }, value: 1, attributes });
          expect([...(parsed.attributes ?? [])]).toEqual(Object.entries(attributes));
          expect([...(parsed.user.attributes ?? [])]).toEqual(Object.entries(attributes));
        },
      ),
    );
  });

  it('limits the number and length of attributes', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
    const of = (attributes: unknown) => event(1, { id: 'u', attributes }).success;
    expect([of(many(50)), of(many(51))]).toEqual([true, false]);
    expect([of({ k: 'v'.repeat(1_024) }), of({ k: 'v'.repeat(1_025) })]).toEqual([true, false]);
    expect([of({ ['k'.repeat(255)]: '' }), of({ ['k'.repeat(256)]: '' })]).toEqual([true, false]);
    expect([of('x'), of([])]).toEqual([false, false]);
  });

  it('can replace all attributes of a user at once', () => {
    const swap = (removed: number) => ({
      ...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`new${index}`, 'v'])),
      ...Object.fromEntries(Array.from({ length: removed }, (_, index) => [`k${index}`, null])),
    });
    const of = (attributes: unknown) => event(1, { id: 'u', attributes }).success;
    expect([of(swap(50)), of(swap(51))]).toEqual([true, false]);
  });

  it('accepts null for absent user fields and to remove a user attribute, but not in event attributes', () => {
    const nothing = { name: null, email: null, tz: null, subscribeToEmails: null, deviceTokens: null };
    const { data } = event(1, { id: 'u', ...nothing, attributes: null });
    expect(Object.values({ ...data?.user, id: undefined }).filter((value) => value !== undefined)).toEqual([]);
    expect(event(1, { id: 'u', attributes: { a: null } }).data?.user.attributes).toEqual(new Map([['a', null]]));
    expect(metricEventRequest.safeParse({ user: { id: 'u' }, value: 1, attributes: { a: null } }).success).toBe(false);
  });
});

describe('a batch item', () => {
  it('accepts null for an absent key, instant and attributes', () => {
    const item = { user: { id: 'u' }, value: 1, idempotencyKey: null, timestamp: null, attributes: null };
    expect(batchItem.safeParse(item).success).toBe(true);
    expect(batchItem.safeParse({ ...item, attributes: { a: null } }).success).toBe(false);
  });

  it('reads its instant in UTC or with an offset', () => {
    const item = { user: { id: 'u' }, value: 1 };
    expect(batchItem.parse({ ...item, timestamp: '2020-06-15T12:00:00+02:00' }).timestamp).toBe(
      Date.UTC(2020, 5, 15, 10),
    );
    for (const timestamp of ['2020-06-15', '2020-06-15T12:00:00', 'now', 0])
      expect(batchItem.safeParse({ ...item, timestamp }).success).toBe(false);
  });
});
