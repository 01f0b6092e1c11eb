import type { NewRecord, UserFields } from '@laurel/kernel';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { randomBytes } from 'node:crypto';
import { keyOf, keysToOpen, keysToSeal, NO_KEYS, seal, unseal } from './personal-fields.ts';

const FIELDS = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  attributes: [['team', 'engine']],
  deviceTokens: ['tok'],
};
const ADA = { account: 'default', subject: 7 };
const OF = { subject: ADA.subject, eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a' };
const key = randomBytes(32);

describe('sealed personal fields', () => {
  it('are opened with the key and the event that they were sealed for', () => {
    expect(unseal(seal(FIELDS, key, OF), key, OF)).toEqual(FIELDS);
  });

  it('reveal nothing, and differ each time', () => {
    const sealed = seal(FIELDS, key, OF);
    const shown = ['Ada', 'Lovelace', 'example', 'team', 'engine', 'tok', 'name', 'email'].filter((clear) =>
      sealed.includes(clear),
    );
    expect(shown).toEqual([]);
    expect(seal(FIELDS, key, OF).subarray(13)).not.toEqual(sealed.subarray(13));
  });

  it('cannot be opened with another key', () => {
    const other = Buffer.from(key).fill(~(key[31] as number), 31);
    expect(() => unseal(seal(FIELDS, key, OF), other, OF)).toThrow();
  });

  it.each([
    ['another subject', { ...OF, subject: OF.subject + 1 }],
    ['another event', { ...OF, eventId: OF.eventId.replace('6a', '6b') }],
  ])('cannot be opened for %s', (_, other) => {
    expect(() => unseal(seal(FIELDS, key, OF), key, other)).toThrow();
  });

  it('cannot be opened if a bit is changed or bytes are missing', () => {
    const sealed = seal(FIELDS, key, OF);
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed);
      changed[place] = (changed[place] as number) ^ 1;
      expect(() => unseal(changed, key, OF)).toThrow();
      expect(() => unseal(sealed.subarray(0, place), key, OF)).toThrow();
    }
  });

  it('of an unknown form are refused with its number', () => {
    const later = seal(FIELDS, key, OF).fill(2, 0, 1);
    expect(() => unseal(later, key, OF)).toThrow('in format 2; this release reads format 1');
  });
});

describe('data keys', () => {
  const identified = (subject: number, user: UserFields): NewRecord => ({
    eventId: OF.eventId,
    account: ADA.account,
    configurationVersion: 1,
    occurredAt: 0,
    recordedAt: 0,
    fact: { type: 'UserIdentified', subject, user },
  });

  it('are read only if a record to append has personal fields', async () => {
    const keys = new MemoryDataKeys();
    expect(keysToSeal([identified(7, {}), identified(8, { tz: 'Asia/Tokyo' })], keys)).toBe(NO_KEYS);
    const asked = await keysToSeal([identified(7, { name: null }), identified(8, {})], keys);
    expect([keyOf(asked, 'default', 7)?.length, keyOf(asked, 'default', 8)]).toEqual([32, null]);
  });

  it('are read only if a stored row has personal fields', async () => {
    const keys = new MemoryDataKeys();
    const row = (subject: string | null, personal: Uint8Array | null) => ({ account: 'default', subject, personal });
    expect(keysToOpen([row(null, null), row('7', null)], keys)).toBe(NO_KEYS);
    const asked = await keysToOpen([row('7', Buffer.of(1)), row('8', null)], keys);
    expect([keyOf(asked, 'default', 7)?.length, keyOf(asked, 'default', 8)]).toEqual([32, null]);
  });

  it('belong to an account', async () => {
    const asked = await keysToSeal([identified(7, { name: 'Ada' })], new MemoryDataKeys());
    expect(keyOf(asked, 'other', 7)).toBeNull();
  });

  it('are absent once they are destroyed', async () => {
    const keys = new MemoryDataKeys();
    keys.destroy(ADA);
    expect(keyOf(await keysToSeal([identified(7, { name: 'Ada' })], keys), 'default', 7)).toBeNull();
  });
});
