import { eventAttributes, userAttributes } from './text.ts';

/** Entries that count how many of their values were looked at. */
function counting(count: number, value: string | null) {
  const looks = { count: 0 };
  const entries = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
  const watched = new Proxy(entries, {
    get: (target, name, receiver) => {
      looks.count++;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return { looks, watched };
}

describe('too many attributes', () => {
  it.each([
    ['an event', eventAttributes, 'must have at most 50 entries'],
    ['a user', userAttributes, 'must have at most 50 entries to set'],
  ])('are counted only up to the limit: of %s', (_, schema, message) => {
    const { looks, watched } = counting(10_000, 'v');
    expect(schema.safeParse(watched).error?.issues.map((issue) => issue.message)).toEqual([message]);
    expect(looks.count).toBeLessThan(60);
  });

  it('are refused if too many are removed, and accepted up to both limits', () => {
    const removed = (count: number) => counting(count, null).watched;
    expect(userAttributes.safeParse(removed(51)).error?.issues[0]?.message).toBe(
      'must have at most 50 entries to remove',
    );
    const both = {
      ...removed(50),
      ...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`s${index}`, 'v'])),
    };
    expect(userAttributes.parse(both).size).toBe(100);
  });
});
