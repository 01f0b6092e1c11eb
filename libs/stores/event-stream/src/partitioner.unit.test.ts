import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { partitionOf } from './partitioner.ts';

/** Account, key, and their partitions of 12 and of 1,000; made once, by another implementation. Never to be made again. */
const FROZEN = JSON.parse(readFileSync(new URL('./partitioner.vector.json', import.meta.url), 'utf8')) as [
  account: string,
  key: string,
  ofTwelve: number,
  ofThousand: number,
][];

describe('the partitioner', () => {
  it('assigns a thousand ids to the partitions that they have always had', () => {
    expect(FROZEN).toHaveLength(1_000);
    const now = FROZEN.map(([account, key]) => [
      account,
      key,
      partitionOf(account, key, 12),
      partitionOf(account, key, 1_000),
    ]);
    expect(now).toEqual(FROZEN);
  });

  it('spreads ids evenly', () => {
    const counts = Array.from({ length: 12 }, () => 0);
    for (let n = 0; n < 12_000; n++) {
      const partition = partitionOf('default', `user-${n}`, 12);
      counts[partition] = (counts[partition] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });

  it('always assigns the same valid partition to an account and key', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 10_000 }), (account, key, partitions) => {
        const partition = partitionOf(account, key, partitions);
        expect(Number.isInteger(partition) && partition >= 0 && partition < partitions).toBe(true);
        expect(partitionOf(account, key, partitions)).toBe(partition);
      }),
    );
  });

  it('separates account and key', () => {
    expect(partitionOf('a', 'bc', 1_000_000)).not.toBe(partitionOf('ab', 'c', 1_000_000));
  });
});
