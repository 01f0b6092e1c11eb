import * as crypto from 'node:crypto';
import { jest } from '@jest/globals';

let hashes = 0;
jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  createHash: (algorithm: string) => {
    hashes++;
    return crypto.createHash(algorithm);
  },
}));
const { partitionOf } = await import('./partitioner.ts');

const hashesOf = (work: () => void): number => {
  const before = hashes;
  work();
  return hashes - before;
};

describe('the partitioner', () => {
  it('hashes a key once, for any number of partitions', () => {
    const ask = (): void => {
      for (const board of ['weekly', 'all-time', 7])
        for (const partitions of [1, 12, 1_000]) partitionOf('default', board, partitions);
    };
    expect(hashesOf(ask)).toBe(3);
    expect(hashesOf(ask)).toBe(0);
    expect(hashesOf(() => partitionOf('another', 'weekly', 12))).toBe(1);
  });

  it('forgets the least recently used keys, however long they are', () => {
    const long = (n: number): string => `${n}`.padEnd(100_000, '-');
    expect(hashesOf(() => Array.from({ length: 20 }, (_, n) => partitionOf('default', long(n), 12)))).toBe(20);
    expect(hashesOf(() => partitionOf('default', long(19), 12))).toBe(0);
    expect(hashesOf(() => partitionOf('default', long(0), 12))).toBe(1);
  });
});
