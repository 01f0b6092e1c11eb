import { AttributeHashing } from './attribute-hashing.ts';

const SECRET = new Uint8Array(32).fill(7);
const hashing = new AttributeHashing(SECRET, 100_000);

describe('the hashes of attributes', () => {
  it('never change, because the log holds them', () => {
    expect(hashing.hashed('plan', 'pro')).toEqual({ key: 'IGElwJFHOklO', value: '4df2o8TYu9UHQEnyNj6u' });
  });

  it('differ for equal values of different attributes, and however a text is divided into key and value', () => {
    const texts = [
      ['a', 'x'],
      ['b', 'x'],
      ['ax', ''],
      ['', 'ax'],
      ['a1', 'x'],
      ['a', '1x'],
    ] as const;
    const hashes = texts.map(([key, value]) => hashing.hashed(key, value));
    expect(new Set(hashes.map(({ value }) => value)).size).toBe(texts.length);
    expect(new Set(hashes.map(({ key }) => key)).size).toBe(new Set(texts.map(([key]) => key)).size);
  });

  it('differ under another secret', () => {
    const other = new AttributeHashing(new Uint8Array(32).fill(8), 100_000).hashed('plan', 'pro');
    expect(other.key).not.toBe(hashing.hashed('plan', 'pro').key);
    expect(other.value).not.toBe(hashing.hashed('plan', 'pro').value);
  });

  it('follow the order of the attributes, and leave null where an attribute is removed', () => {
    const attributes = [
      ['plan', 'pro'],
      ['city', null],
    ] as const;
    expect(hashing.all<string | null>(attributes)).toEqual([
      [hashing.hashed('plan', 'pro').key, hashing.hashed('plan', 'pro').value],
      [hashing.hashed('city', 'any').key, null],
    ]);
  });

  it('are the same when the cache has lost them', () => {
    const small = new AttributeHashing(SECRET, 400);
    const first = small.hashed('plan', 'pro');
    for (let one = 0; one < 50; one++) small.hashed('plan', `${one}`);
    expect(small.hashed('plan', 'pro')).toEqual(first);
  });
});
