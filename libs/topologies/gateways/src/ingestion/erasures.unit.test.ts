import { atMost } from './erasures.ts';

describe('the preview of erasures', () => {
  it('is limited in number: one more is refused, and admitted once another has ended', async () => {
    const ends: (() => void)[] = [];
    const count = atMost(
      2,
      (failure: Error | null) =>
        new Promise<void>((resolve, reject) => ends.push(() => (failure ? reject(failure) : resolve()))),
    );
    const overloaded = { problem: { status: 503, code: 'overloaded' }, headers: { 'retry-after': '1' } };
    const [first, second] = [count(new Error('lost')), count(null)];
    await expect(count(null)).rejects.toMatchObject(overloaded);
    ends[0]?.();
    await expect(first).rejects.toThrow('lost');
    const third = count(null);
    await expect(count(null)).rejects.toMatchObject(overloaded);
    for (const end of ends.slice(1)) end();
    expect(await Promise.all([second, third])).toHaveLength(2);
  });
});
