import { exactOf } from '@laurel/amounts';
import fc from 'fast-check';
import { mergeSorted } from './merge-sorted.ts';
import { RankIndex } from './rank-index.ts';
import type { Standing } from './standing.ts';

const scores = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((n) => exactOf(BigInt(n) * 500_000n)),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(exactOf),
  fc.bigInt({ min: 1n, max: 2n ** 80n }).map(exactOf),
);
const standings = fc.record({
  subject: fc.integer({ min: 1, max: 40 }),
  score: scores,
  reachedAt: fc.integer({ min: 0, max: 2 }),
  position: fc.integer({ min: 1, max: 3 }),
  ordinal: fc.integer({ min: 0, max: 1 }),
});

/** The order of specification, section 7, written a second time: as text that sorts. */
function sortKey({ score, reachedAt, position, ordinal, subject }: Standing): string {
  const fromTop = (2n ** 100n - BigInt(score)).toString().padStart(31, '0');
  return `${fromTop} ${String(reachedAt).padStart(2, '0')} ${position} ${ordinal} ${String(subject).padStart(16, '0')}`;
}

function naivelySorted(entries: Iterable<Standing>): Standing[] {
  const keyed = [...entries].map((entry) => ({ entry, key: sortKey(entry) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
}

function expectSame(index: RankIndex, entries: Iterable<Standing>): void {
  const sorted = naivelySorted(entries);
  expect(index.size).toBe(sorted.length);
  expect([...index.from(0)]).toEqual(sorted);
  expect(sorted.filter((entry, place) => index.countAhead(entry) !== place || index.at(place) !== entry)).toEqual([]);
  expect(index.at(sorted.length)).toBeUndefined();
}

const byUser = (entries: readonly Standing[]) => new Map(entries.map((entry) => [entry.subject, entry]));

/** Enough to split and join buckets many times over; spread so that ties are common. */
function manyStandings(count: number, seed: number): Standing[] {
  return Array.from({ length: count }, (_, i) => {
    const mixed = (Math.imul(i + 1, 2654435761) ^ seed) >>> 0;
    return { subject: i + 1, score: 1 + (mixed % 977), reachedAt: mixed % 13, position: mixed % 7, ordinal: 0 };
  });
}

describe('the rank index', () => {
  it('holds what a naive sort holds, after any insertions and deletions', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), standings), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (program) => {
        const index = new RankIndex();
        const present = new Map<number, Standing>();
        for (const [inserts, standing] of program) {
          const before = present.get(standing.subject);
          if (before) expect(index.delete(before)).toBe(naivelySorted(present.values()).indexOf(before));
          present.delete(standing.subject);
          if (!inserts) continue;
          present.set(standing.subject, standing);
          expect(index.insert(standing)).toBe(naivelySorted(present.values()).indexOf(standing));
        }
        expectSame(index, present.values());
      }),
    );
  });

  it('counts those ahead of a standing that it does not hold', () => {
    fc.assert(
      fc.property(fc.array(standings), standings, (entries, other) => {
        const present = byUser(entries.filter(({ subject }) => subject !== other.subject));
        const index = RankIndex.fromSorted(naivelySorted(present.values()));
        expect(index.countAhead(other)).toBe(naivelySorted([...present.values(), other]).indexOf(other));
      }),
    );
  });

  it('does so over many buckets, through growth and shrinkage', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1500, max: 6000 }), fc.integer(), (count, seed) => {
        const entries = manyStandings(count, seed);
        const index = RankIndex.fromSorted(naivelySorted(entries.slice(0, count / 3)));
        for (const entry of entries.slice(count / 3)) index.insert(entry);
        expectSame(index, entries);
        for (const entry of entries.slice(0, -40)) index.delete(entry);
        expectSame(index, entries.slice(-40));
        for (const entry of entries.slice(-40)) index.delete(entry);
        expectSame(index, []);
        index.insert(entries[0] as Standing);
        expectSame(index, entries.slice(0, 1));
      }),
      { numRuns: 8 },
    );
  });

  it('reads on from any place', () => {
    const entries = naivelySorted(manyStandings(3000, 1));
    const index = RankIndex.fromSorted(entries);
    for (const place of [0, 1, 127, 128, 129, 2999, 3000, 4000])
      expect([...index.from(place)]).toEqual(entries.slice(place));
  });

  it('refuses to delete what it does not hold', () => {
    const [held, other] = manyStandings(2, 1) as [Standing, Standing];
    const index = RankIndex.fromSorted([held]);
    expect(() => index.delete(other)).toThrow('not in the rank index');
    expect(() => new RankIndex().delete(other)).toThrow('not in the rank index');
    expect([...index.from(0)]).toEqual([held]);
  });
});

describe('mergeSorted', () => {
  it('gives what sorting both together gives', () => {
    fc.assert(
      fc.property(fc.array(standings), fc.array(standings), (some, more) => {
        const a = byUser(some);
        const b = byUser(more.filter(({ subject }) => !a.has(subject)));
        const merged = mergeSorted(naivelySorted(a.values()), naivelySorted(b.values()));
        expect(merged).toEqual(naivelySorted([...a.values(), ...b.values()]));
      }),
    );
  });
});
